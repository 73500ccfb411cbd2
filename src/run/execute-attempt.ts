import { retryDelayMs } from '../retry/retry-delay.ts';
import { LimitPool } from './attempt-limit.ts';
import { runAttempt, type Attempt, type AttemptContext, type FinishedAttempt } from './attempt.ts';
import { sleep } from '../system-time.ts';

export interface AttemptLimits {
  /** The same for every attempt of a run. */
  readonly timeoutMs: number;
  /** How often an attempt is retried after an infrastructure failure. Default: as its target says, else 2. */
  readonly retries: number | undefined;
  /** Those of the run. */
  readonly signal: AbortSignal;
}

const DEFAULT_RETRIES = 2;

/**
 * Runs an attempt within its time limit. Retries it only if the connection to the agent failed, since that says
 * nothing about the agent. A failed claim is never retried.
 */
export async function executeAttempt(
  attempt: Attempt,
  context: AttemptContext,
  limits: AttemptLimits,
): Promise<FinishedAttempt> {
  const { retry: rules } = attempt.agent;
  const most = limits.retries ?? rules?.most ?? DEFAULT_RETRIES;
  for (let retries = 0; ; retries++) {
    const finished = await runWithLimit(attempt, context, limits);
    const waitMs = retryDelayMs(retries, { ...rules, retryAfterMs: finished.retryAfterMs });
    const isOver =
      finished.record.error?.kind !== 'infrastructure' ||
      retries >= most ||
      waitMs === undefined ||
      limits.signal.aborted;
    if (isOver) return retries === 0 ? finished : { ...finished, record: { ...finished.record, retries } };
    await sleep(waitMs, undefined, { signal: limits.signal }).catch(() => {});
    if (limits.signal.aborted) return finished;
  }
}

async function runWithLimit(
  attempt: Attempt,
  context: AttemptContext,
  limits: AttemptLimits,
): Promise<FinishedAttempt> {
  const pool = poolOf(limits);
  const limit = pool.take();
  try {
    return await runAttempt(attempt, context, limit);
  } finally {
    pool.giveBack(limit);
  }
}

/** The run is over. */
export function releaseLimits(signal: AbortSignal): void {
  pools.get(signal)?.close();
  pools.delete(signal);
}

/** One per run. */
const pools = new WeakMap<AbortSignal, LimitPool>();

function poolOf({ signal, timeoutMs }: AttemptLimits): LimitPool {
  let pool = pools.get(signal);
  if (pool === undefined) pools.set(signal, (pool = new LimitPool(signal, timeoutMs)));
  return pool;
}
