import { AgentError } from '../agents/contract.ts';
import type { Finding } from '../model/finding.ts';
import type { AttemptRecord } from '../model/record.ts';
import type { Summary } from '../model/summary.ts';
import type { AssertionKinds } from '../schema/assertion-kind.ts';
import { runAttempt, type AttemptContext, type FinishedAttempt } from './attempt.ts';
import { SYSTEM_CLOCK, type Clock } from './clock.ts';
import { Grader } from './grade.ts';
import { planAttempts, type PlannedAttempt, type PlanOptions, type RunnableSuite } from './plan.ts';
import { runPool } from './pool.ts';
import { waitBeforeRetry } from './retry-delay.ts';
import { Tally } from './tally.ts';
import { DEFAULT_THRESHOLD } from './verdict.ts';

export interface RunTestsOptions extends PlanOptions {
  readonly suites: readonly RunnableSuite[];
  readonly kinds: AssertionKinds;
  surroundings: AttemptContext['surroundings'];
  readonly workers: number;
  readonly timeoutMs: number;
  readonly threshold?: number | undefined;
  /** How often an attempt is done again after an infrastructure failure. */
  readonly retries?: number | undefined;
  /** Stop after this many tests that failed or could not be measured. */
  readonly bail?: number | undefined;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

/** Hears what happens. A record that `onResult` was told is final. */
export interface RunObserver {
  onStart?(attempt: PlannedAttempt): void;
  onResult?(record: AttemptRecord): void;
  onFinding?(finding: Finding): void;
}

/** Runs every planned attempt. Whatever one of them does, the others run. */
export async function runTests(options: RunTestsOptions, observer: RunObserver): Promise<Summary> {
  const { suites, kinds, workers, signal, bail = Infinity, clock = SYSTEM_CLOCK } = options;
  const start = clock.now();
  const tally = new Tally({ repeats: options.repeats ?? 1 });
  const stop = new AbortController();
  const grader = new Grader(kinds);
  const threshold = options.threshold ?? DEFAULT_THRESHOLD;
  let bad = 0;

  const finish = (record: AttemptRecord, findings: readonly Finding[]): void => {
    tally.add(record);
    for (const finding of findings) observer.onFinding?.(finding);
    observer.onResult?.(record);
    if ((record.verdict === 'failed' || record.verdict === 'error') && ++bad >= bail) stop.abort();
  };
  const pool = { size: workers, signal: AbortSignal.any([signal, stop.signal]) };
  await runPool(planAttempts(suites, options), pool, async (attempt) => {
    if (attempt.skipped !== undefined) return finish(skippedRecord(attempt, clock), []);
    observer.onStart?.(attempt);
    const context = { grader, threshold, clock, surroundings: options.surroundings };
    const limits = { timeoutMs: options.timeoutMs, signal, retries: options.retries ?? DEFAULT_RETRIES };
    const finished = await runWithRetries(attempt, context, limits);
    // What was interrupted was not measured, and is not recorded: a resumed run does it again.
    if (!signal.aborted) finish(finished.record, finished.findings);
  });
  return tally.summary({ durationMs: clock.now() - start, interrupted: signal.aborted });
}

const DEFAULT_RETRIES = 2;

interface AttemptLimits {
  readonly timeoutMs: number;
  readonly retries: number;
  readonly signal: AbortSignal;
}

/** A failure of the way to the agent says nothing about the agent. A failed claim is never tried again. */
async function runWithRetries(attempt: PlannedAttempt, context: AttemptContext, limits: AttemptLimits): Promise<FinishedAttempt> {
  for (let retries = 0; ; retries++) {
    const finished = await runWithLimit(attempt, context, limits);
    const isOver = finished.record.error?.kind !== 'infrastructure' || retries >= limits.retries || limits.signal.aborted;
    if (isOver) return retries === 0 ? finished : { ...finished, record: { ...finished.record, retries } };
    await waitBeforeRetry(retries, { atLeastMs: finished.retryAfterMs, signal: limits.signal });
  }
}

async function runWithLimit(attempt: PlannedAttempt, context: AttemptContext, { timeoutMs, signal }: AttemptLimits): Promise<FinishedAttempt> {
  const limit = new AbortController();
  const onAbort = () => limit.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(() => {
    limit.abort(new AgentError('timeout', `no reply after ${timeoutMs / 1000} s (--timeout)`));
  }, timeoutMs);
  try {
    return await runAttempt(attempt, context, limit.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function skippedRecord({ id, file, test, target, repeat, skipped }: PlannedAttempt, clock: Clock): AttemptRecord {
  return {
    id,
    file,
    line: test.place.line,
    column: test.place.column,
    test: test.id,
    description: test.description,
    tags: test.tags,
    target,
    repeat,
    verdict: 'skipped',
    skip_reason: skipped === '' ? undefined : skipped,
    steps: [],
    assertions: [],
    retries: 0,
    started_at: clock.date().toISOString(),
    duration_ms: 0,
  };
}
