import { hideCredentials } from '../match/url-credentials.ts';
import type { Finding } from '../model/finding.ts';
import { chooseColors } from '../reporters/colors.ts';
import { findingText } from '../reporters/finding-text.ts';
import { JsonReporter } from '../reporters/json-reporter.ts';
import type { Reporter } from '../reporters/reporter.ts';
import { TerminalReporter } from '../reporters/terminal-reporter.ts';
import type { CommandContext } from './command.ts';
import { readExcerpt } from './excerpt.ts';
import { quoteForShell } from './quote-for-shell.ts';
import { redactOutput } from './redact-output.ts';

/** The reporters a command line asks for. */
export function createReporters(context: CommandContext): readonly Reporter[] {
  const { stdout, env, options, redactor } = context;
  if (options['reporter'] === 'json') return [new JsonReporter((text) => stdout.write(text))];
  const colors = chooseColors({ isTTY: stdout.isTTY, env });
  const agent =
    options['agent'] === undefined
      ? ''
      : ` --agent ${quoteForShell(hideCredentials(String(options['agent'])))}`;
  const target =
    options['target'] === undefined ? '' : ` --target ${quoteForShell(String(options['target']))}`;
  const terminal = new TerminalReporter({
    output: redactOutput(stdout, redactor),
    colors,
    excerptAt: readExcerpt,
    rerun: ({ file, line }) => `assay run ${quoteForShell(`${file}:${line}`)}${agent}${target}`,
  });
  return [{ onFinding: (finding) => reportFinding(finding, context) }, terminal];
}

export function reportFinding(finding: Finding, { stderr, env }: CommandContext): void {
  const colors = chooseColors({ isTTY: stderr.isTTY, env });
  void stderr.write(`${findingText(finding, readExcerpt(finding), colors)}\n\n`);
}
