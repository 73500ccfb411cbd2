import type { Finding } from '../base/model/finding.ts';
import type { GateRules } from '../base/model/gate.ts';
import type { AttemptRecord } from '../base/model/record.ts';
import type { Summary, TestSummary } from '../base/model/summary.ts';
import type { AssertionKinds } from '../checks/contract/assertion-kinds.ts';
import type { AttemptContext, AttemptPreflight, FinishedAttempt } from './attempt/attempt.ts';
import { Budget } from './pool/budget.ts';
import { SYSTEM_CLOCK, type Clock } from './pool/clock.ts';
import { attemptRecord } from './attempt/attempt-record.ts';
import type { Redact } from './verdicts/explain-outcome.ts';
import { executeAttempt, releaseLimits, type AttemptWatchdog } from './attempt/execute-attempt.ts';
import { Grader } from './grade/grade.ts';
import type { PlannedAttempt } from './plan/plan.ts';
import { placedRecord } from './verdicts/placed-record.ts';
import { runPool } from './pool/pool.ts';
import { Tally } from './verdicts/tally.ts';
import { TargetStops } from './pool/target-stops.ts';

export interface RunTestsOptions {
  readonly attempts: AsyncIterable<PlannedAttempt>;
  /** Called with the result of each attempt, undefined if it did not run: a plan may depend on it. */
  learn?(attempt: PlannedAttempt, record: AttemptRecord | undefined): void;
  readonly kinds: AssertionKinds;
  evaluationHost: AttemptContext['evaluationHost'];
  /** Where model calls are recorded, or answered from. */
  readonly cassettes?: AttemptContext['cassettes'];
  /** The folders that agents may change. */
  readonly workspaces?: AttemptContext['workspaces'];
  /** Checks whether a test can be evaluated before its agent is called. Default: no check. */
  readonly preflight?: AttemptPreflight | undefined;
  readonly rules?: GateRules | undefined;
  /** The targets of the run, in the order in which they were named. */
  readonly targets?: readonly string[] | undefined;
  /** No more attempts start once attempts have cost this much, in USD. */
  readonly maxCost?: number | undefined;
  /** How much there is to do, if known: it gives the number of attempts that an interrupted run did not start. */
  readonly planned?: PlannedTotal | undefined;
  readonly workers: number;
  readonly timeoutMs: number;
  /** For tests without their own. */
  /** Undefined: nobody chose one. */
  readonly threshold: number | undefined;
  /** Warnings about replies and evidence are errors. */
  readonly strict?: boolean | undefined;
  /** Removes secrets from what messages show of values. */
  readonly redact?: Redact | undefined;
  /** How often an attempt is retried after an infrastructure failure. */
  readonly retries?: number | undefined;
  /** Stop after this many tests that failed or could not be measured. */
  readonly bail?: number | undefined;
  /** Whether a target where nothing works is not called any more. Default: true. */
  readonly stopEarly?: boolean | undefined;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly watchdog?: AttemptWatchdog | undefined;
  /** Who runs an attempt: this process by default. */
  readonly execute?: typeof executeAttempt | undefined;
  /** The record of an attempt that ran before and need not run again. */
  recorded?(id: string, fingerprint: string): AttemptRecord | undefined;
}

interface PlannedTotal {
  readonly tests: number;
  /** Undefined if the number of repeats depends on the results. */
  readonly attempts?: number | undefined;
}

/** Receives events. A record that `onResult` received is final. */
export interface RunObserver {
  onStart?(attempt: PlannedAttempt): void;
  onResult?(record: AttemptRecord): void;
  /** An earlier record that is part of this run too. */
  onRecorded?(record: AttemptRecord, file: { readonly isMoved: boolean }): void;
  onFinding?(finding: Finding): void;
  /** Resolves when it can take more; undefined if it can at once. */
  caughtUp?(): Promise<void> | undefined;
}

export interface RunTestsResult {
  readonly summary: Summary;
  /** The tests that are repeated or have a gate. */
  readonly tests: readonly TestSummary[];
}

/** Runs every planned attempt. Whatever happens to one of them, the others run. */
export async function runTests(options: RunTestsOptions, observer: RunObserver): Promise<RunTestsResult> {
  const {
    attempts,
    kinds,
    workers,
    signal,
    bail = Infinity,
    clock = SYSTEM_CLOCK,
    execute = executeAttempt,
  } = options;
  const start = clock.now();
  const tally = new Tally(options.rules, options.targets);
  const budget = options.maxCost === undefined ? undefined : new Budget(options.maxCost);
  const stops = options.stopEarly === false ? undefined : new TargetStops(options.preflight);
  const context = {
    grader: new Grader(kinds, options.redact),
    threshold: options.threshold,
    strict: options.strict,
    clock,
    evaluationHost: options.evaluationHost,
    preflight: options.preflight,
    cassettes: options.cassettes,
    workspaces: options.workspaces,
  };
  const limits = {
    timeoutMs: options.timeoutMs,
    signal,
    retries: options.retries,
    watchdog: options.watchdog,
  };
  let bad = 0;
  const taken = { tests: 0, attempts: 0 };

  const finish = (attempt: PlannedAttempt, { record, findings }: FinishedAttempt): AttemptRecord => {
    tally.add(record, attempt.repeats, attempt.targetCount);
    for (const finding of findings) observer.onFinding?.(finding);
    observer.onResult?.(record);
    for (const finding of budget?.add(record) ?? []) observer.onFinding?.(finding);
    stops?.add(record);
    if (record.verdict === 'failed' || record.verdict === 'error') bad++;
    return record;
  };
  const make = async (attempt: PlannedAttempt): Promise<AttemptRecord | undefined> => {
    taken.attempts++;
    if (attempt.repeat === 1) taken.tests++;
    const recorded = options.recorded?.(attempt.id, attempt.fingerprint);
    // The file as it is now decides whether a test is skipped.
    const isSkipped = attempt.skipped !== undefined;
    if (recorded !== undefined && (recorded.verdict === 'skipped') === isSkipped) {
      const placed = placedRecord(recorded, attempt.test);
      // The file as it is now decides how often the test must pass.
      const record = { ...placed, pass_at_least: attempt.test.pass_at_least };
      tally.add(record, attempt.repeats, attempt.targetCount);
      observer.onRecorded?.(record, { isMoved: placed !== recorded });
      return record;
    }
    if (attempt.skipped !== undefined)
      return finish(attempt, { record: skippedRecord(attempt, clock), findings: [] });
    const stop = stops?.stopOf(attempt);
    const leaveOut = stop && (await stop);
    if (bad >= bail || budget?.isSpent === true || leaveOut !== undefined) {
      leaveOut?.();
      const { file, target, repeats } = attempt;
      const { id: test, place, pass_at_least } = attempt.test;
      tally.leaveOut({ file, line: place.line, test, target, pass_at_least, repeats });
      return undefined;
    }
    const waiting = observer.caughtUp?.();
    if (waiting !== undefined) await waiting;
    observer.onStart?.(attempt);
    const finished = await execute(attempt, context, limits);
    // An interrupted attempt was not measured, and is not recorded: a resumed run does it again.
    return signal.aborted ? undefined : finish(attempt, finished);
  };
  const makeAndTell = async (attempt: PlannedAttempt): Promise<void> => {
    let record: AttemptRecord | undefined;
    try {
      record = await make(attempt);
    } finally {
      options.learn?.(attempt, record);
    }
  };
  try {
    await runPool(attempts, { size: workers, signal }, options.learn === undefined ? make : makeAndTell);
  } finally {
    releaseLimits(signal);
  }
  for (const stopped of stops?.list() ?? []) tally.stop(stopped);
  if (signal.aborted) tally.leaveOutUnnamed(countLeft(options.planned, taken));
  const ending = { durationMs: clock.now() - start, interrupted: signal.aborted, budget };
  return { summary: tally.summary(ending), tests: tally.tests() };
}

/**
 * Attempts that never started. If a test's number of repeats is open, only its first attempt is certain to be
 * planned.
 */
function countLeft(
  planned: PlannedTotal | undefined,
  taken: { readonly tests: number; readonly attempts: number },
): number {
  if (planned === undefined) return 0;
  const { tests, attempts } = planned;
  return Math.max(0, attempts === undefined ? tests - taken.tests : attempts - taken.attempts);
}

function skippedRecord(attempt: PlannedAttempt, clock: Clock): AttemptRecord {
  return attemptRecord(attempt, {
    verdict: 'skipped',
    skip_reason: attempt.skipped === '' ? undefined : attempt.skipped,
    steps: [],
    assertions: [],
    retries: 0,
    started_at: clock.timestamp(),
    duration_ms: 0,
  });
}
