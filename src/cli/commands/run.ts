import { runAndReport } from '../../api/run.ts';
import type { RunOptions } from '../../api/run-options.ts';
import { parseDuration } from '../../config/duration.ts';
import type { Reporter } from '../../reporters/reporter.ts';
import type { RegressionRule } from '../../model/comparison.ts';
import { parseShard } from '../../run/shard.ts';
import { Tally } from '../../run/tally.ts';
import { EXIT, type CommandContext } from '../command.ts';
import { complain } from '../complain.ts';
import { explainStop } from '../explain-stop.ts';
import { failOnProblem, isRegressionRule } from '../fail-on.ts';
import { readGateOptions } from '../gate-options.ts';
import { isCi } from '../is-ci.ts';
import { reportStop } from '../report-stop.ts';
import type { RunView } from '../run-view.ts';
import { watchSignals } from '../signals.ts';
import { withReports } from '../with-reports.ts';
import { listTests } from './list.ts';

/** Runs tests. */
export async function run(context: CommandContext): Promise<number> {
  const { stderr, options } = context;
  const read = readOptions(context);
  if ('problem' in read) {
    await complain(stderr, `${read.problem}\n  hint: \`assay run --help\` lists the options`);
    return EXIT.invalid;
  }
  if (options['list'] === true) return listOrExplain(read.options, context);
  const signal = watchSignals(stderr);
  const settings = {
    github: 'all',
    isRecorded: read.options.record !== false,
    ofRecords: read.options.resume !== undefined,
  } as const;
  return withReports(context, settings, async ({ reporters, documents }) => {
    const tally = new Tally();
    const counter: Reporter = { onResult: (record) => tally.add(record, 1) };
    let view: RunView | undefined;
    const update =
      options['update'] === true
        ? await (await import('../run-update.ts')).createRunUpdate(context)
        : undefined;
    try {
      if (options['view'] === true)
        view = await (await import('../run-view.ts')).createRunView(context, signal);
      const { exit_code } = await runAndReport({
        ...read.options,
        reporters: [
          ...(view === undefined ? [] : [view.reporter]),
          ...(update === undefined ? [] : [update.reporter]),
          ...reporters,
          counter,
        ],
        signal,
        onSecrets: context.redactor.learn,
      });
      const updated = exit_code === EXIT.interrupted ? undefined : await update?.write();
      await view?.linger(exit_code);
      return updated ?? exit_code;
    } catch (error) {
      return await reportStop(error, { documents, tally, signal }, context);
    } finally {
      await view?.close();
    }
  });
}

async function listOrExplain(options: RunOptions, context: CommandContext): Promise<number> {
  try {
    return await listTests(options, context);
  } catch (error) {
    const said = explainStop(error);
    if (said === undefined) throw error;
    await complain(context.stderr, said);
    return EXIT.invalid;
  }
}

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
  const duration = (name: string): number | undefined => {
    const value = text(name);
    const ms = value === undefined ? undefined : parseDuration(value);
    if (value !== undefined && ms === undefined)
      problems.push(`--${name} takes a duration such as 90s, 2m or 500ms, not "${value}"`);
    return ms;
  };
  const threshold = text('threshold');
  if (threshold !== undefined && !(Number(threshold) >= 0 && Number(threshold) <= 1))
    problems.push(`--threshold takes a number from 0 to 1, not "${threshold}"`);
  const failOn = text('fail-on');
  if (failOn !== undefined && !isRegressionRule(failOn)) problems.push(failOnProblem(failOn));
  if (failOn !== undefined && text('baseline') === undefined)
    problems.push('--fail-on needs a --baseline to compare with');
  if (options['view'] === true && options['no-record'] === true)
    problems.push('--view shows what is recorded, so --no-record leaves nothing to look at');
  if (options['resume'] !== undefined && options['no-record'] === true)
    problems.push('--resume goes on with a run that is recorded, and --no-record writes none: leave one out');
  problems.push(...queueProblems(options));
  if (options['update'] === true && isCi(env))
    problems.push(
      '--update changes files of tests, which a person has to review: it is refused where CI is set',
    );
  const bail = options['bail'] === true ? 1 : undefined;
  const read: RunOptions = {
    paths: positionals,
    agent: text('agent'),
    target: text('target'),
    config: text('config'),
    grep: text('grep'),
    tags: list('tag'),
    workers: whole('workers'),
    ...readGateOptions(text, problems),
    ...readShardOptions(options, problems),
    queue: text('queue'),
    lostAfterMs: duration('lost-after'),
    patienceMs: duration('worker-wait'),
    retries: retry === undefined ? undefined : Number(retry),
    timeoutMs: duration('timeout'),
    threshold: threshold === undefined ? undefined : Number(threshold),
    bail,
    lastFailed: options['last-failed'] === true,
    resume: options['resume'] as string | true | undefined,
    record: options['no-record'] !== true,
    allowScripts: options['allow-scripts'] === true,
    useCache: options['no-cache'] !== true,
    baseline: text('baseline'),
    failOn: failOn as RegressionRule | undefined,
    strict: options['strict'] === true,
    passWithNoTests: options['pass-with-no-tests'] === true,
    ci: isCi(env),
  };
  return problems.length === 0 ? { options: read } : { problem: problems[0]! };
}

function readShardOptions(
  options: CommandContext['options'],
  problems: string[],
): Pick<RunOptions, 'shard' | 'shardBy'> {
  const authored = options['shard'] as string | undefined;
  const shardBy = options['shard-by'] as string | undefined;
  const shard = authored === undefined ? undefined : parseShard(authored);
  if (authored !== undefined && shard === undefined)
    problems.push(`--shard takes a part of a whole such as 2/5, not "${authored}"`);
  if (shardBy !== undefined && authored === undefined)
    problems.push('--shard-by says how to split a plan, and --shard which part to run: say both');
  if (authored !== undefined && options['list'] === true)
    problems.push('--list prints the whole plan: leave --shard out');
  return { shard, shardBy };
}

function queueProblems(options: CommandContext['options']): readonly string[] {
  if (options['queue'] !== undefined)
    return options['workers'] === undefined
      ? []
      : ['with --queue, each worker says how much it does: `assay worker --concurrency 16`'];
  return ['lost-after', 'worker-wait']
    .filter((name) => options[name] !== undefined)
    .map((name) => `--${name} is about workers on a queue: say --queue too`);
}
