import { retryDelayMs } from '../retry/retry-delay.ts';
import { LimitPool } from './attempt-limit.ts';
import { runAttempt, type Attempt, type AttemptContext, type FinishedAttempt } from './attempt.ts';
import type { AttemptRecord } from '../model/record.ts';
import { addAll, addUsage } from '../model/usage.ts';
import { spendingOf } from './spending.ts';
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
  const failed: AttemptRecord[] = [];
  for (let retries = 0; ; retries++) {
    const finished = await runWithLimit(attempt, context, limits);
    const waitMs = retryDelayMs(retries, { ...rules, retryAfterMs: finished.retryAfterMs });
    const isOver =
      finished.record.error?.kind !== 'infrastructure' ||
      retries >= most ||
      waitMs === undefined ||
      limits.signal.aborted;
    if (isOver) return retries === 0 ? finished : { ...finished, record: withTries(finished.record, failed) };
    failed.push(finished.record);
    await sleep(waitMs, undefined, { signal: limits.signal }).catch(() => {});
    if (limits.signal.aborted) return finished;
  }
}

/** What the tries before the last one used was paid for all the same, as far as it is known. */
function withTries(record: AttemptRecord, failed: readonly AttemptRecord[]): AttemptRecord {
  return {
    ...record,
    retries: failed.length,
    retries_token_usage: addUsage(failed.flatMap(({ token_usage }) => token_usage ?? [])),
    retries_cost_usd: addAll(failed.flatMap((each) => spendingOf(each).agent ?? [])),
  };
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
