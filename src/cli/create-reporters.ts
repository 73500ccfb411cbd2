import { createRedactor } from '../match/redact-secrets.ts';
import type { Finding } from '../model/finding.ts';
import { wordForShell } from '../processes/quote-for-shell.ts';
import { chooseColors } from '../reporters/colors.ts';
import { findingText } from '../reporters/finding-text.ts';
import { JsonReporter } from '../reporters/json-reporter.ts';
import type { Reporter } from '../reporters/reporter.ts';
import { TerminalReporter } from '../reporters/terminal-reporter.ts';
import type { CommandContext } from './command.ts';
import { readExcerpt } from './excerpt.ts';

/** The reporters a command line asks for. */
export function createReporters(context: CommandContext): readonly Reporter[] {
  const { stdout, env, options } = context;
  if (options['reporter'] === 'json') return [new JsonReporter((text) => stdout.write(text))];
  const colors = chooseColors({ isTTY: stdout.isTTY, env });
  const redactor = createRedactor(env);
  const agent = options['agent'] === undefined ? '' : ` --agent ${wordForShell(String(options['agent']))}`;
  const target =
    options['target'] === undefined ? '' : ` --target ${wordForShell(String(options['target']))}`;
  const terminal = new TerminalReporter({
    output: stdout,
    colors,
    excerptAt: readExcerpt,
    rerun: ({ file, line }) => redactor.text(`assay run ${wordForShell(`${file}:${line}`)}${agent}${target}`),
  });
  return [{ onFinding: (finding) => reportFinding(finding, context) }, terminal];
}

export function reportFinding(finding: Finding, { stderr, env }: CommandContext): void {
  const colors = chooseColors({ isTTY: stderr.isTTY, env });
  void stderr.write(`${findingText(finding, readExcerpt(finding), colors)}\n\n`);
}
