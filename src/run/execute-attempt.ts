import { retryDelayMs } from '../retry/retry-delay.ts';
import { LimitPool } from './attempt-limit.ts';
import { runAttempt, type Attempt, type AttemptContext, type FinishedAttempt } from './attempt.ts';
import type { AttemptRecord, ErrorKind } from '../model/record.ts';
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
    if (isOver) {
      const ended = limits.signal.aborted ? finished : withTape(finished);
      return retries === 0 ? ended : { ...ended, record: withTries(ended.record, failed) };
    }
    failed.push(finished.record);
    await sleep(waitMs, undefined, { signal: limits.signal }).catch(() => {});
    if (limits.signal.aborted) return finished;
  }
}

/** Says why an attempt is not kept in a cassette: it says nothing about what the model would answer. */
const UNRECORDED: ReadonlySet<ErrorKind> = new Set(['infrastructure', 'timeout', 'config', 'cassette']);

/** The attempt is over: what was recorded of it is written before its record is, so that a run that is continued lacks neither. */
function withTape(finished: FinishedAttempt): FinishedAttempt {
  const { tape, record, findings } = finished;
  if (tape === undefined) return finished;
  const kind = record.error?.kind;
  const told =
    kind !== undefined && UNRECORDED.has(kind)
      ? tape.abandon(kind)
      : tape.end({ isMeasured: kind === undefined });
  if (told.length === 0) return finished;
  const { file, line, column } = record;
  const added = told.map((each) => ({ severity: 'warning' as const, ...each, file, line, column, path: '' }));
  return {
    ...finished,
    findings: [...findings, ...added],
    record: { ...record, findings: [...(record.findings ?? []), ...added] },
  };
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
