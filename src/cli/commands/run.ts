import { runAndReport, type RunOptions } from '../../api/run.ts';
import { parseDuration } from '../../config/duration.ts';
import { TargetError } from '../../config/target-resolver.ts';
import { AgentSetupError } from '../../agents/agent-setup-error.ts';
import { chooseColors } from '../../reporters/colors.ts';
import { findingText } from '../../reporters/finding-text.ts';
import { JsonReporter } from '../../reporters/json-reporter.ts';
import type { Reporter } from '../../reporters/reporter.ts';
import { TerminalReporter } from '../../reporters/terminal-reporter.ts';
import { EXIT, type CommandContext } from '../command.ts';
import { readExcerpt } from '../excerpt.ts';
import { watchSignals } from '../signals.ts';
import { listTests } from './list.ts';

/** Runs tests. */
export async function run(context: CommandContext): Promise<number> {
  const { stderr, options } = context;
  const read = readOptions(context);
  if ('problem' in read) {
    await stderr.write(`assay: ${read.problem}\n  hint: \`assay run --help\` lists the options\n`);
    return EXIT.invalid;
  }
  if (options['list'] === true) return listTests(read.options, context);
  const signals = watchSignals(stderr);
  try {
    const { exit_code } = await runAndReport({ ...read.options, reporters: createReporters(context), signal: signals.signal });
    return exit_code;
  } catch (error) {
    if (!(error instanceof TargetError) && !(error instanceof AgentSetupError)) throw error;
    await stderr.write(`assay: ${error.message}\n${error.hint === undefined ? '' : `  hint: ${error.hint}\n`}`);
    return EXIT.invalid;
  } finally {
    signals.stop();
  }
}

function createReporters(context: CommandContext): readonly Reporter[] {
  const { stdout, stderr, env, options } = context;
  if (options['reporter'] === 'json') return [new JsonReporter((text) => stdout.write(text))];
  const colors = chooseColors({ isTTY: stdout.isTTY, env });
  const agent = options['agent'] === undefined ? '' : ` --agent ${quoteForShell(String(options['agent']))}`;
  const target = options['target'] === undefined ? '' : ` --target ${quoteForShell(String(options['target']))}`;
  const terminal = new TerminalReporter({
    output: stdout,
    colors,
    excerptAt: readExcerpt,
    rerun: ({ file, line }) => `assay run ${quoteForShell(`${file}:${line}`)}${agent}${target}`,
  });
  const errorColors = chooseColors({ isTTY: stderr.isTTY, env });
  const findings: Reporter = { onFinding: (finding) => void stderr.write(`${findingText(finding, readExcerpt(finding), errorColors)}\n\n`) };
  return [findings, terminal];
}

function readOptions({ positionals, options, env }: CommandContext): { readonly options: RunOptions } | { readonly problem: string } {
  const text = (name: string): string | undefined => options[name] as string | undefined;
  const problems: string[] = [];
  const whole = (name: string): number | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    if (!/^[1-9]\d*$/.test(value)) problems.push(`--${name} takes a whole number of at least 1, not "${value}"`);
    return Number(value);
  };
  const retry = text('retry');
  if (retry !== undefined && !/^\d+$/.test(retry)) problems.push(`--retry takes a whole number, not "${retry}"`);
  const timeout = text('timeout');
  const timeoutMs = timeout === undefined ? undefined : parseDuration(timeout);
  if (timeout !== undefined && timeoutMs === undefined) problems.push(`--timeout takes a duration such as 90s, 2m or 500ms, not "${timeout}"`);
  const threshold = text('threshold');
  if (threshold !== undefined && !(Number(threshold) >= 0 && Number(threshold) <= 1)) problems.push(`--threshold takes a number from 0 to 1, not "${threshold}"`);
  const reporter = text('reporter');
  if (reporter !== undefined && reporter !== 'json' && reporter !== 'terminal') problems.push(`there is no reporter "${reporter}": the reporters are terminal and json`);
  const bail = options['bail'] === true ? 1 : undefined;
  const read: RunOptions = {
    paths: positionals,
    agent: text('agent'),
    target: text('target'),
    config: text('config'),
    grep: text('grep'),
    tags: text('tag')?.split(','),
    workers: whole('workers'),
    repeats: whole('repeats'),
    retries: retry === undefined ? undefined : Number(retry),
    timeoutMs,
    threshold: threshold === undefined ? undefined : Number(threshold),
    bail,
    lastFailed: options['last-failed'] === true,
    strict: options['strict'] === true,
    passWithNoTests: options['pass-with-no-tests'] === true,
    ci: isCi(env),
  };
  return problems.length === 0 ? { options: read } : { problem: problems[0]! };
}

function isCi({ CI }: CommandContext['env']): boolean {
  return CI !== undefined && CI !== '' && CI !== '0' && CI !== 'false';
}

function quoteForShell(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
