import type { Finding } from '../model/finding.ts';
import type { AttemptRecord } from '../model/record.ts';
import type { Summary } from '../model/summary.ts';
import type { AssertionKinds } from '../schema/assertion-kind.ts';
import type { AttemptContext } from './attempt.ts';
import { SYSTEM_CLOCK, type Clock } from './clock.ts';
import { describeAttempt } from './describe-attempt.ts';
import { executeAttempt } from './execute-attempt.ts';
import { Grader } from './grade.ts';
import type { PlannedAttempt } from './plan.ts';
import { runPool } from './pool.ts';
import { Tally } from './tally.ts';

export interface RunTestsOptions {
  readonly attempts: AsyncIterable<PlannedAttempt>;
  readonly kinds: AssertionKinds;
  surroundings: AttemptContext['surroundings'];
  /** Whether a test may come more than once. */
  readonly hasRepeats: boolean;
  readonly workers: number;
  readonly timeoutMs: number;
  /** For tests that have none of their own. */
  readonly threshold: number;
  /** How often an attempt is done again after an infrastructure failure. */
  readonly retries?: number | undefined;
  /** Stop after this many tests that failed or could not be measured. */
  readonly bail?: number | undefined;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  /** Who makes an attempt: this process, unless somebody else is asked to. */
  readonly execute?: typeof executeAttempt | undefined;
  /** The record of an attempt that was made before and need not be made again. */
  recorded?(id: string, fingerprint: string): AttemptRecord | undefined;
}

/** Hears what happens. A record that `onResult` was told is final. */
export interface RunObserver {
  onStart?(attempt: PlannedAttempt): void;
  onResult?(record: AttemptRecord): void;
  /** A record of before, which is part of this run too. */
  onRecorded?(record: AttemptRecord): void;
  onFinding?(finding: Finding): void;
}

/** Runs every planned attempt. Whatever one of them does, the others run. */
export async function runTests(options: RunTestsOptions, observer: RunObserver): Promise<Summary> {
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
  const tally = new Tally({ hasRepeats: options.hasRepeats });
  const stop = new AbortController();
  const grader = new Grader(kinds);
  let bad = 0;

  const finish = (record: AttemptRecord, findings: readonly Finding[]): void => {
    tally.add(record);
    for (const finding of findings) observer.onFinding?.(finding);
    observer.onResult?.(record);
    if ((record.verdict === 'failed' || record.verdict === 'error') && ++bad >= bail) stop.abort();
  };
  const pool = { size: workers, signal: AbortSignal.any([signal, stop.signal]) };
  await runPool(attempts, pool, async (attempt) => {
    const recorded = options.recorded?.(attempt.id, attempt.fingerprint);
    if (recorded !== undefined) {
      tally.add(recorded);
      observer.onRecorded?.(recorded);
      return;
    }
    if (attempt.skipped !== undefined) return finish(skippedRecord(attempt, clock), []);
    observer.onStart?.(attempt);
    const context = { grader, threshold: options.threshold, clock, surroundings: options.surroundings };
    const limits = { timeoutMs: options.timeoutMs, signal, retries: options.retries ?? DEFAULT_RETRIES };
    const finished = await execute(attempt, context, limits);
    // What was interrupted was not measured, and is not recorded: a resumed run does it again.
    if (!signal.aborted) finish(finished.record, finished.findings);
  });
  return tally.summary({ durationMs: clock.now() - start, interrupted: signal.aborted });
}

export const DEFAULT_RETRIES = 2;

function skippedRecord(attempt: PlannedAttempt, clock: Clock): AttemptRecord {
  return {
    ...describeAttempt(attempt),
    verdict: 'skipped',
    skip_reason: attempt.skipped === '' ? undefined : attempt.skipped,
    steps: [],
    assertions: [],
    retries: 0,
    started_at: clock.date().toISOString(),
    duration_ms: 0,
  };
}
