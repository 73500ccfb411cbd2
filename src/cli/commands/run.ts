import { runAndReport, type RunOptions } from '../../api/run.ts';
import { parseDuration } from '../../config/duration.ts';
import { TargetError } from '../../config/target-error.ts';
import { AgentSetupError } from '../../agents/agent-setup-error.ts';
import { JournalError } from '../../journal/journal-writer.ts';
import { EXIT, type CommandContext } from '../command.ts';
import { createReporters, reportFinding } from '../create-reporters.ts';
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
    const { exit_code } = await runAndReport({
      ...read.options,
      reporters: createReporters(context),
      signal: signals.signal,
    });
    return exit_code;
  } catch (error) {
    if (error instanceof TargetError) for (const finding of error.findings) reportFinding(finding, context);
    const said = explainStop(error);
    if (said === undefined) throw error;
    await stderr.write(`assay: ${said}\n`);
    return EXIT.invalid;
  } finally {
    signals.stop();
  }
}

/** What ends a run before it is done, said; undefined for a defect of ours. */
function explainStop(error: unknown): string | undefined {
  if (error instanceof AgentSetupError) return error.message;
  if (error instanceof TargetError)
    return error.message + (error.hint === undefined ? '' : `\n  hint: ${error.hint}`);
  if (error instanceof JournalError)
    return `${error.message}\n  hint: what was recorded before is kept; \`--resume\` goes on from there`;
  const { code, message } = error as NodeJS.ErrnoException;
  if (FILE_ERRORS.has(code ?? ''))
    return `${message}\n  hint: runs are recorded in .assay; --no-record does without`;
  return undefined;
}

const FILE_ERRORS = new Set(['EACCES', 'EROFS', 'ENOSPC', 'EDQUOT', 'EPERM', 'ENOENT', 'ENOTDIR']);

function readOptions({
  positionals,
  options,
  env,
}: CommandContext): { readonly options: RunOptions } | { readonly problem: string } {
  const text = (name: string): string | undefined => options[name] as string | undefined;
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
    tags: text('tag')?.split(','),
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
