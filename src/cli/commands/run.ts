import { runAndReport, type RunOptions } from '../../api/run.ts';
import { parseDuration } from '../../config/duration.ts';
import { TargetError } from '../../config/target-error.ts';
import type { Finding } from '../../model/finding.ts';
import type { Reporter } from '../../reporters/reporter.ts';
import { EXIT, type CommandContext } from '../command.ts';
import { complain } from '../complain.ts';
import { createReporters, reportFinding } from '../create-reporters.ts';
import { explainStop } from '../explain-stop.ts';
import { watchSignals } from '../signals.ts';
import { listTests } from './list.ts';

/** Runs tests. */
export async function run(context: CommandContext): Promise<number> {
  const { stderr, options } = context;
  const read = readOptions(context);
  if ('problem' in read) {
    await complain(stderr, `${read.problem}\n  hint: \`assay run --help\` lists the options`);
    return EXIT.invalid;
  }
  if (options['list'] === true) return explainedList(read.options, context);
  const signals = watchSignals(stderr);
  const isJson = options['reporter'] === 'json';
  const reporters = createReporters(context);
  try {
    const { exit_code } = await runAndReport({
      ...read.options,
      reporters,
      signal: signals.signal,
      onSecrets: context.redactor.learn,
    });
    return exit_code;
  } catch (error) {
    const findings = error instanceof TargetError ? error.findings : [];
    for (const finding of findings) reportFinding(finding, context);
    const said = explainStop(error);
    if (said === undefined) throw error;
    await complain(stderr, said);
    if (isJson) await reportStop(reporters, context.redactor.value({ said, findings }));
    return EXIT.invalid;
  } finally {
    signals.stop();
  }
}

async function explainedList(options: RunOptions, context: CommandContext): Promise<number> {
  try {
    return await listTests(options, context);
  } catch (error) {
    const said = explainStop(error);
    if (said === undefined) throw error;
    await complain(context.stderr, said);
    return EXIT.invalid;
  }
}

/** A run that could not begin, or broke off, ends its report all the same. */
async function reportStop(
  reporters: readonly Reporter[],
  { said, findings }: { said: string; findings: readonly Finding[] },
): Promise<void> {
  const [message = said, hint] = said.split('\n  hint: ');
  const stop = {
    severity: 'error',
    code: 'run_stopped',
    message,
    file: '',
    line: 1,
    column: 1,
    path: '',
  } as const;
  for (const reporter of reporters) {
    for (const finding of [...findings, hint === undefined ? stop : { ...stop, hint }])
      reporter.onFinding?.(finding);
    await reporter.onRunEnd?.({ summary: EMPTY_SUMMARY, exit_code: EXIT.invalid });
  }
}

const EMPTY_SUMMARY = {
  tests: 0,
  attempts: 0,
  passed: 0,
  failed: 0,
  error: 0,
  skipped: 0,
  flaky: 0,
  duration_ms: 0,
  interrupted: false,
} as const;

function readOptions({
  positionals,
  options,
  env,
}: CommandContext): { readonly options: RunOptions } | { readonly problem: string } {
  const text = (name: string): string | undefined => options[name] as string | undefined;
  const list = (name: string): readonly string[] | undefined =>
    (options[name] as readonly string[] | undefined)?.flatMap((value) => value.split(','));
  const problems: string[] = [];
  const whole = (name: string): number | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    if (!/^[1-9]\d*$/.test(value))
      problems.push(`--${name} takes a whole number of at least 1, not "${value}"`);
    return Number(value);
  };
  const retry = text('retry');
  if (retry !== undefined && !/^\d+$/.test(retry))
    problems.push(`--retry takes a whole number, not "${retry}"`);
  const timeout = text('timeout');
  const timeoutMs = timeout === undefined ? undefined : parseDuration(timeout);
  if (timeout !== undefined && timeoutMs === undefined)
    problems.push(`--timeout takes a duration such as 90s, 2m or 500ms, not "${timeout}"`);
  const threshold = text('threshold');
  if (threshold !== undefined && !(Number(threshold) >= 0 && Number(threshold) <= 1))
    problems.push(`--threshold takes a number from 0 to 1, not "${threshold}"`);
  const reporter = text('reporter');
  if (reporter !== undefined && reporter !== 'json' && reporter !== 'terminal')
    problems.push(`there is no reporter "${reporter}": the reporters are terminal and json`);
  const bail = options['bail'] === true ? 1 : undefined;
  const read: RunOptions = {
    paths: positionals,
    agent: text('agent'),
    target: text('target'),
    config: text('config'),
    grep: text('grep'),
    tags: list('tag'),
    workers: whole('workers'),
    repeats: whole('repeats'),
    retries: retry === undefined ? undefined : Number(retry),
    timeoutMs,
    threshold: threshold === undefined ? undefined : Number(threshold),
    bail,
    lastFailed: options['last-failed'] === true,
    resume: options['resume'] as string | true | undefined,
    record: options['no-record'] !== true,
    allowScripts: options['allow-scripts'] === true,
    useCache: options['no-cache'] !== true,
    strict: options['strict'] === true,
    passWithNoTests: options['pass-with-no-tests'] === true,
    ci: isCi(env),
  };
  return problems.length === 0 ? { options: read } : { problem: problems[0]! };
}

function isCi({ CI }: CommandContext['env']): boolean {
  return CI !== undefined && CI !== '' && CI !== '0' && CI !== 'false';
}
