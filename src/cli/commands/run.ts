import { runAndReport } from '../../api/run/run.ts';
import { RunDeclined } from '../../api/changes/run-declined.ts';
import type { RunOptions } from '../../api/basics/run-options.ts';
import { rememberRoots } from '../../suites/load/project-root.ts';
import type { Reporter } from '../../show/reporters/reporter.ts';
import { Tally } from '../../run/verdicts/tally.ts';
import { onCommandEnd } from '../../base/system/command-end.ts';
import { EXIT, type CommandContext } from '../command.ts';
import type { RUN_OPTIONS } from '../run-options.ts';
import { printError } from '../print-error.ts';
import { configDefaults } from '../../suites/config/config-defaults.ts';
import { printStop } from '../print-stop.ts';
import { isCi } from '../is-ci.ts';
import type { OptionValues } from '../option.ts';
import { endBlockedRun } from '../end-blocked-run.ts';
import { reportStop } from '../report-stop.ts';
import { writtenFiles } from '../reporter-specs.ts';
import { resumeCommand } from '../resume-command.ts';
import type { RunView } from '../run-view.ts';
import { watchSignals } from '../signals.ts';
import { announceReports, watchedRun } from '../watch/watched-run.ts';
import { targetNames, targetProblem } from '../target-names.ts';
import { withReports } from '../with-reports.ts';
import { list } from './list.ts';

/** Runs tests. */
export async function run(given: CommandContext<typeof RUN_OPTIONS>): Promise<number> {
  if (!given.options.watch) onCommandEnd(rememberRoots());
  const context = await withDefaults(given);
  const { stderr, options } = context;
  // Each run reads the paths of the config again: it may change.
  if (options.watch)
    return (await import('./watch.ts')).watch({ ...context, positionals: given.positionals });
  announceReports(given.env, writtenFiles(options.reporter, options['output-file']));
  const read = readOptions(context);
  if ('problem' in read) {
    await printError(stderr, `${read.problem}\n  hint: \`assay run --help\` lists the options`);
    return EXIT.invalid;
  }
  if (options.list) return listOrExplain(read.options, context);
  const signal = watchSignals(stderr);
  const settings = {
    github: 'all',
    isRecorded: read.options.record !== false,
    signal,
    ofRecords: read.options.resume !== undefined || read.options.changed !== undefined,
    resumeCommand: (runId: string) => resumeCommand(context, runId),
  } as const;
  return withReports(context, settings, async ({ reporters, documents }) => {
    const tally = new Tally();
    const counter: Reporter = { onResult: (record) => tally.add(record, 1) };
    let view: RunView | undefined;
    const update = options.update
      ? await (await import('../run-update.ts')).createRunUpdate(context)
      : undefined;
    try {
      if (options.view) view = await (await import('../run-view.ts')).createRunView(context, signal);
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
        onBlocked: (blocked) => endBlockedRun(blocked, context),
      });
      const updated = exit_code === EXIT.interrupted ? undefined : await update?.write();
      await view?.linger(exit_code);
      return updated ?? exit_code;
    } catch (error) {
      if (error instanceof RunDeclined) return EXIT.ok;
      return await reportStop(error, { documents, tally, signal }, context);
    } finally {
      await view?.close();
    }
  });
}

/** The config names the reporters that the command line leaves open. */
async function withDefaults(
  context: CommandContext<typeof RUN_OPTIONS>,
): Promise<CommandContext<typeof RUN_OPTIONS>> {
  const { options } = context;
  if (options.list || options.reporter !== undefined) return context;
  const { reporter } = await configDefaults(options.config, { mayExecute: true });
  return reporter.length === 0 ? context : { ...context, options: { ...options, reporter } };
}

async function listOrExplain(
  options: RunOptions,
  context: CommandContext<typeof RUN_OPTIONS>,
): Promise<number> {
  try {
    return await list(options, context);
  } catch (error) {
    return await printStop(error, context.stderr);
  }
}

function readOptions({
  positionals,
  options,
  env,
}: CommandContext<typeof RUN_OPTIONS>): { readonly options: RunOptions } | { readonly problem: string } {
  const problem = findProblem(options, isCi(env));
  if (problem !== undefined) return { problem };
  const read: RunOptions = {
    paths: positionals,
    agent: options.agent,
    target: targetNames(options.target),
    config: options.config,
    observe: options['no-observe'] ? false : (options.observe as 'otel' | true | undefined),
    grep: options.grep,
    grepInvert: options['grep-invert'],
    tags: options.tag?.flatMap((tags) => tags.split(',')),
    excludedTags: options['exclude-tag']?.flatMap((tags) => tags.split(',')),
    workers: options.workers,
    repeats: options.repeats,
    confidence: options.confidence,
    maxRepeats: options['max-repeats'],
    minPassRate: options['min-pass-rate'],
    maxFlaky: options['max-flaky'],
    minCoverage: options['min-coverage'],
    maxCost: options['max-cost'],
    shard: options.shard,
    shardBy: options['shard-by'],
    queue: options.queue,
    lostAfterMs: options['lost-after'],
    patienceMs: options['worker-wait'],
    retries: options.retry,
    timeoutMs: options.timeout,
    threshold: options.threshold,
    bail: options.bail,
    stopEarly: options['no-stop'] ? false : undefined,
    lastFailed: options['last-failed'],
    failedFirst: options['failed-first'] || undefined,
    resume: options.resume,
    changed: options.changed ? (watchedRun(env) ?? true) : undefined,
    record: !options['no-record'],
    name: options.name,
    allowScripts: options['allow-scripts'],
    useCache: !options['no-cache'],
    cassettes: options.cassettes,
    cassetteTiming: options['cassette-timing'] || undefined,
    baseline: options.baseline,
    failOn: options['fail-on'],
    strict: options.strict || undefined,
    passWithNoTests: options['pass-with-no-tests'],
    ci: isCi(env),
  };
  return { options: read };
}

/** Options that do not go together. */
function findProblem(options: OptionValues<typeof RUN_OPTIONS>, isInCi: boolean): string | undefined {
  for (const name of ['confidence', 'max-repeats'] as const)
    if (options[name] !== undefined && options.repeats !== 'auto') return `--${name} is for --repeats auto`;
  if (options['fail-on'] !== undefined && options.baseline === undefined)
    return '--fail-on needs a --baseline to compare with';
  const target = targetProblem(options.target, options.agent);
  if (target !== undefined) return target;
  if (options.view && options['no-record']) return '--view needs a recorded run: remove --no-record';
  if (options.resume !== undefined && options['no-record'])
    return '--resume and --no-record cannot be used together: remove one of them';
  const unfit = (['resume', 'last-failed', 'failed-first', 'no-record', 'shard', 'queue'] as const).find(
    (name) => options[name] !== undefined && options[name] !== false,
  );
  if (options.changed && unfit !== undefined)
    return `--changed and --${unfit} cannot be used together: remove one of them`;
  if (options['failed-first'] && options.shard !== undefined)
    return '--failed-first and --shard cannot be used together: other machines may know other failures';
  if (options['shard-by'] !== undefined && options.shard === undefined)
    return '--shard-by needs --shard too: it chooses which part to run';
  if (options.shard !== undefined && options.list) return '--list prints the whole plan: remove --shard';
  for (const name of ['lost-after', 'worker-wait'] as const)
    if (options[name] !== undefined && options.queue === undefined)
      return `--${name} is about workers on a queue: add --queue`;
  if (options.queue !== undefined && options.workers !== undefined)
    return 'with --queue, set this on each worker: `assay worker --concurrency 16`';
  if (typeof options.observe === 'string' && options.observe !== 'otel')
    return `--observe takes no value but otel, and got ${JSON.stringify(options.observe)}: write --observe, or --observe=otel`;
  if (options['no-observe'] && options.cassettes !== undefined && options.cassettes !== 'off')
    return `--cassettes ${options.cassettes} needs to see the model calls: remove --no-observe`;
  if (options.update && isInCi)
    return '--update changes test files, and a person must review them: it is not allowed in CI';
  return undefined;
}
