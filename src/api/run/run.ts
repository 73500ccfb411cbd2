import { setMaxListeners } from 'node:events';
import { withProjectEnvironment } from '../../suites/config/project-environment.ts';
import { fileFinding } from '../../suites/load/read-suite-file.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import type { RecordedCassettes } from '../../base/model/summary.ts';
import type { RunEnding } from '../../runs/journal/run-directory.ts';
import { RunLockedError } from '../../runs/journal/run-lock.ts';
import type { Coordinator } from '../../run/queue/coordinator.ts';
import { QueueError } from '../../run/queue/queue-error.ts';
import type { Reporter } from '../../show/reporters/reporter.ts';
import { runTests, type RunTestsResult } from '../../run/run-tests.ts';
import { takeLateCalls } from '../../evidence/observe/late-calls.ts';
import { takeLateErrors } from '../../agents/function-call.ts';
import { takeUncaught } from '../../base/system/user-code.ts';
import { optimizeAsUsual } from '../../base/system/optimize-later.ts';
import { rerunOptions } from '../../base/model/rerun-command.ts';
import { baselineOutcomes } from '../baseline/baseline-outcome.ts';
import { severalTargets } from '../../base/model/several-targets.ts';
import { nameOf } from '../recorded/run-name.ts';
import { readGitState } from '../basics/git-revision.ts';
import { withConfigDefaults } from '../basics/with-config-defaults.ts';
import { withBaselines } from '../baseline/comparison-exit.ts';
import { exitCodeOf } from '../basics/exit-code.ts';
import { tooFewRepeats } from '../basics/gate-rules.ts';
import { prepareRun, type PreparedRun } from './prepared-run.ts';
import { totalOf } from '../recorded/recorded-plan.ts';
import type { RunBaseline } from '../baseline/run-baseline.ts';
import {
  lateErrors,
  lateModelCalls,
  rulesWithoutEffect,
  damagedRun,
  nothingRan,
  nothingToResume,
  ownBaseline,
  repairedDamage,
  unknownInputs,
  unsealedRecords,
  uncaughtError,
  unmatchedTargets,
} from '../basics/run-findings.ts';
import type { RunOptions, RunResult } from '../basics/run-options.ts';
import { createRunPreflight } from '../evaluation/run-preflight.ts';
import { watchForBlocks } from './blocked-run.ts';
import { observeRun } from './observe-run.ts';
import { RunRecord } from './run-record.ts';
import { adviseWorkers } from './advise-workers.ts';
import { closingOnError } from '../targets/run-targets.ts';
import { createEvaluationHost } from '../evaluation/evaluation-host.ts';
import type { RunCassettes } from '../targets/run-cassettes.ts';
import { unstartedTests } from '../recorded/unstarted-tests.ts';

/** Runs suites and returns the results. It never exits the process; misuse and bad configs throw. */
export async function run(options: RunOptions): Promise<RunResult> {
  const records: AttemptRecord[] = [];
  const reporter: Reporter = { onResult: (record) => void records.push(record) };
  const result = await runAndReport({ ...options, reporters: [...(options.reporters ?? []), reporter] });
  return { ...result, records };
}

/** The same without keeping records: the reporters receive each as it comes. */
export function runAndReport(options: RunOptions): Promise<Omit<RunResult, 'records'>> {
  return withProjectEnvironment(() => prepareAndRun(options));
}

async function prepareAndRun(given: RunOptions): Promise<Omit<RunResult, 'records'>> {
  const options = await withConfigDefaults(given, { mayExecute: true });
  const broken = new AbortController();
  const onBreak = (error: Error): void => broken.abort(error);
  const signal = AbortSignal.any([...(options.signal === undefined ? [] : [options.signal]), broken.signal]);
  // Every running attempt listens to it.
  setMaxListeners(0, signal);
  const prepared = await prepareRun(options, signal);
  const record = await openRecord(prepared, onBreak);
  const begun = begin(prepared, record);
  const cpuBefore = process.cpuUsage();
  let ended: Executed;
  try {
    ended = await execute(prepared, begun, { signal, onBreak });
    // Nobody runs the rest; a run that was continued elsewhere ends there.
    if (broken.signal.reason instanceof QueueError) throw broken.signal.reason;
  } catch (error) {
    record?.abandon();
    throw error;
  } finally {
    optimizeAsUsual();
    await Promise.all(prepared.opened.map((resource) => resource.close()));
    const outside = prepared.changes?.end(record?.directory.path) ?? [];
    if (typeof options.changed === 'object') options.changed.onOutside?.(outside);
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  const advice = adviseWorkers(prepared, { summary: ended.summary, cpuMs: (user + system) / 1000 });
  return end(prepared, { ...begun, ...ended, advice, broken: broken.signal });
}

function openRecord(
  { options, earlier, suites, projectRoot, isComplete, opened, shard, ...prepared }: PreparedRun,
  onError: (error: Error) => void,
): Promise<RunRecord | undefined> {
  // A filter that matches nothing leaves no run: the next one looks for replies in the latest few.
  const isEmpty = options.changed !== undefined && prepared.planned.tests === 0;
  if (options.record === false || isComplete || isEmpty) return Promise.resolve(undefined);
  const open = (from: typeof earlier): RunRecord =>
    new RunRecord({
      projectRoot,
      suites,
      redactor: prepared.redactor,
      asked: prepared.asked,
      planned: prepared.planned.attempts,
      selection: prepared.narrowed,
      // Later, one function cannot be told from another.
      targets: typeof options.agent === 'function' ? undefined : prepared.targets,
      git: prepared.redactor.value(readGitState(projectRoot)),
      earlier: from,
      shard: shard?.description,
      onError,
    });
  return closingOnError(opened, () => {
    try {
      return open(earlier);
    } catch (error) {
      // Somebody else runs what changed, too: this becomes a run of its own.
      if (options.changed === undefined || !(error instanceof RunLockedError)) throw error;
      return open({ found: undefined, damaged: [] });
    }
  });
}

interface Begun {
  readonly record: RunRecord | undefined;
  readonly run_id: string;
  /** Undefined if nothing is compared. */
  readonly baseline: RunBaseline | undefined;
}

/** Reports that the run starts, and the known problems. */
function begin(prepared: PreparedRun, record: RunRecord | undefined): Begun {
  const { options, log, agents, redactor, asked, rules } = prepared;
  const run_id = record?.directory.runId ?? '';
  const planned = prepared.planned.attempts;
  record?.live.plan(planned);
  log.emit('onRunStart', {
    run_id,
    name: nameOf(asked),
    planned,
    agents: agents.map(({ name }) => redactor.text(name)),
    cwd: process.cwd(),
    asked: rerunOptions([{ options: asked, targets: prepared.targets }]),
    targets: severalTargets(prepared.targets),
  });
  for (const finding of [...prepared.findings, ...prepared.resolver.findings]) log.findInRun(finding);
  if (options.resume !== undefined && record?.isContinued === false) log.findInRun(nothingToResume(run_id));
  for (const { path, runId } of record?.damaged ?? []) log.findInRun(damagedRun(path, runId));
  for (const damage of record?.damage ?? []) log.findInRun(repairedDamage(damage));
  if (record !== undefined && record.unsealed > 0)
    log.findInRun(unsealedRecords(record.directory.journalPath, record.unsealed));
  for (const { target, reason } of prepared.changes?.work.unknown ?? [])
    log.findInRun(unknownInputs(run_id, target, reason));
  const isOwnBaseline = prepared.baseline?.isRun(record?.directory) === true;
  for (const finding of rulesWithoutEffect(run_id, { ...rules, threshold: prepared.runner.threshold }))
    log.findInRun(finding);
  if (isOwnBaseline) log.findInRun(ownBaseline(run_id));
  const tooFew = tooFewRepeats(rules.adaptive);
  if (tooFew !== undefined) log.findInRun(tooFew);
  return { record, run_id, baseline: isOwnBaseline ? undefined : prepared.baseline };
}

interface Executed extends RunTestsResult {
  /** How many results come from the earlier run. */
  readonly resumed: number;
  readonly cassettes: RecordedCassettes | undefined;
}

interface Halt {
  readonly signal: AbortSignal;
  /** The run cannot continue. */
  readonly onBreak: (error: Error) => void;
}

async function execute(prepared: PreparedRun, begun: Begun, halt: Halt): Promise<Executed> {
  const { options, runner, rules, shard, planned, resolver, projectRoot, redactor, evaluators } = prepared;
  const { changes } = prepared;
  const made = (id: string, fingerprint: string): number =>
    begun.record?.repeatsMade(redactor.text(id), fingerprint) ?? 0;
  const plan = prepared.plan(changes === undefined ? made : undefined);
  const chosen = shard?.choose(plan.attempts) ?? plan.attempts;
  const attempts = changes?.prepare(chosen) ?? chosen;
  const evaluationHost = createEvaluationHost({
    resolver,
    projectRoot,
    evaluators,
    allowScripts: options.allowScripts === true,
    useCache: options.useCache !== false && prepared.cassettes === undefined,
  });
  const cassettes = await openCassettes(prepared);
  let resumed = 0;
  const observer = observeRun(prepared, begun, () => resumed++);
  const coordinator = await coordinate(prepared, begun, halt);
  const { timeoutMs } = runner;
  const { onBlocked } = options;
  const watchdog = onBlocked && watchForBlocks({ timeoutMs, onBlocked, record: begun.record, observer });
  try {
    const ended = await runTests(
      {
        ...runner,
        ...plan,
        attempts,
        ...coordinator?.giveOut(attempts),
        rules,
        watchdog,
        targets: resolver.described().map(({ name }) => name),
        kinds: evaluators.kinds,
        redact: redactor.value,
        evaluationHost,
        cassettes: cassettes?.deck,
        preflight: createRunPreflight({
          resolver,
          projectRoot,
          evaluators,
          allowScripts: options.allowScripts === true,
        }),
        planned: {
          tests: planned.tests,
          attempts: planned.attempts === undefined ? undefined : totalOf(planned.attempts),
        },
        signal: halt.signal,
        recorded: (id, fingerprint) =>
          changes === undefined
            ? begun.record?.recorded(redactor.text(id), fingerprint)
            : changes.recorded(id),
      },
      observer,
    );
    const summary = { ...ended.summary, selection: prepared.narrowed };
    return { ...ended, summary, resumed, cassettes: cassettes?.deck.recorded };
  } finally {
    for (const finding of cassettes?.close() ?? []) prepared.log.findInRun(finding);
    await coordinator?.close();
  }
}

/** Loaded on first use: few runs have any. */
async function openCassettes({
  cassettes,
  queue,
  projectRoot,
  redactor,
  earlier,
}: PreparedRun): Promise<RunCassettes | undefined> {
  // The workers of a queue have their own.
  if (cassettes === undefined || queue !== undefined) return undefined;
  const { RunCassettes: Cassettes } = await import('../targets/run-cassettes.ts');
  return new Cassettes(cassettes, { projectRoot, redactor, isResumed: earlier.found !== undefined });
}

/** Looks for workers, if the attempts run elsewhere. */
async function coordinate(
  prepared: PreparedRun,
  { run_id }: Begun,
  halt: Halt,
): Promise<Coordinator | undefined> {
  const { options, queue, runner, suites, resolver, projectRoot, log } = prepared;
  return queue?.coordinate(options, {
    ...halt,
    run_id,
    projectRoot,
    suites,
    resolver,
    settings: {
      threshold: runner.threshold,
      strict: runner.strict,
      timeout_ms: runner.timeoutMs,
      retries: runner.retries,
      use_cache: options.useCache !== false,
      cassettes: prepared.cassettes && { timing: prepared.cassettes.withDelays },
    },
    mayStop: runner.bail !== undefined || runner.maxCost !== undefined,
    onFleet: (fleet) => log.emit('onFleet', fleet),
    onFinding: (finding) => log.findInRun(finding),
  });
}

interface Ended extends Begun, Executed {
  readonly advice: string | undefined;
  /** Aborted when the run could not be recorded any more. */
  readonly broken: AbortSignal;
}

/** Whether some tests of its files were not to run. */
function isPart({ options, selection, shard }: PreparedRun): boolean {
  const { grep, grepInvert, tags = [], excludedTags = [], lines, tests } = selection;
  return (
    [shard, grep, grepInvert, tests].some((filter) => filter !== undefined) ||
    options.lastFailed === true ||
    tags.length + excludedTags.length + (lines?.size ?? 0) > 0
  );
}

async function end(prepared: PreparedRun, ended: Ended): Promise<Omit<RunResult, 'records'>> {
  const { options, log, isAllPassed, isComplete, shard } = prepared;
  const { summary, record, run_id, resumed, broken } = ended;
  const tests = prepared.redactor.value(ended.tests);
  const compared = ended.baseline?.compare(run_id, {
    rule: options.failOn,
    paths: isPart(prepared) ? undefined : (options.paths ?? []),
  });
  const comparison = compared?.whole;
  const baseline = ended.baseline?.lastingName ?? '';
  const baselines = compared && baselineOutcomes(compared, { baseline, extent: summary });
  if (compared !== undefined)
    for (const finding of unmatchedTargets(run_id, baseline, compared)) log.findInRun(finding);
  const late = takeLateCalls();
  const severity = prepared.runner.strict ? 'error' : 'warning';
  if (late > 0) log.findInRun({ ...lateModelCalls(run_id, late), severity });
  const errors = takeLateErrors();
  if (errors.length > 0) log.findInRun({ ...lateErrors(run_id, errors), severity });
  for (const error of await takeUncaught()) log.findInRun(uncaughtError(run_id, error));
  const exitCode = (): number => {
    const own = exitCodeOf({
      // A run that stopped because it could not be recorded was not interrupted by anybody.
      summary: { ...summary, interrupted: summary.interrupted && options.signal?.aborted === true },
      hasErrors: log.hasErrors,
      // With few tests, a shard may have none: the merged run decides whether anything ran.
      passWithNoTests:
        options.passWithNoTests === true || isAllPassed || (shard?.description.plan_attempts ?? 0) > 0,
    });
    return withBaselines(own, baselines);
  };
  if (exitCode() === 2 && !log.hasErrors && !broken.aborted && !isComplete)
    log.findInRun(nothingRan(options.paths ?? [], summary, await whyEmpty(prepared, summary)));
  const ending = {
    exit_code: exitCode(),
    summary,
    baselines,
    tests: unstartedTests(tests),
    findings: log.findingsOfRun,
  };
  const failure = endRecord(record, ending, broken);
  if (failure !== undefined) log.find(failure);
  const exit_code = exitCode();
  await log.emit.end({
    summary,
    tests,
    exit_code,
    resumed,
    comparison,
    baselines,
    baseline_comparisons: compared?.targets,
    target_comparisons: prepared.comparer?.compare(run_id),
    directory: record?.directory.path,
    cassettes: ended.cassettes,
    advice: ended.advice,
  });
  return { run_id, exit_code, summary, tests, comparison, findings: log.findings };
}

/** Loaded on first use: most runs have tests. */
async function whyEmpty({ suites, selection }: PreparedRun, { tests }: RunEnding['summary']) {
  if (tests > 0) return undefined;
  const { explainEmpty } = await import('../select/explain-empty.ts');
  return explainEmpty(suites, selection);
}

/** Why the run could not be recorded to its end, if it could not. */
function endRecord(
  record: RunRecord | undefined,
  ending: Omit<RunEnding, 'run_id' | 'journal'>,
  broken: AbortSignal,
): Finding | undefined {
  if (record === undefined) return undefined;
  try {
    broken.throwIfAborted();
    record.end(ending);
    return undefined;
  } catch (error) {
    record.abandon();
    const hint = 'earlier results are kept; `--resume` continues from there';
    return fileFinding(record.directory.path, 'not_recorded', (error as Error).message, hint);
  }
}
