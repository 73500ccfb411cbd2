import { retryDelayMs } from '../../base/system/retry.ts';
import type { Replies } from '../../agents/contract.ts';
import { createFaults } from './attempt-faults.ts';
import { LimitPool, PhasedLimit } from './attempt-limit.ts';
import { grade, type Attempt, type AttemptContext, type FinishedAttempt, type GradeHost } from './attempt.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import { addAll, addUsage } from '../../base/model/usage.ts';
import { spendingOf } from '../../base/model/spending.ts';
import { sleep } from '../../base/system/system-time.ts';

export interface AttemptLimits {
  /** The same for every attempt of a run. */
  readonly timeoutMs: number;
  /** How often an attempt is retried after an infrastructure failure. Default: as its target says, else 2. */
  readonly retries: number | undefined;
  /** Those of the run. */
  readonly signal: AbortSignal;
  /** Knows which attempts are running. */
  readonly watchdog?: AttemptWatchdog | undefined;
}

/** Ends a run whose thread is blocked. */
export interface AttemptWatchdog {
  begin(attempt: Attempt): void;
  end(attempt: Attempt): void;
}

const DEFAULT_RETRIES = 2;

/**
 * Runs an attempt within its time limit. Retries it only if the connection to the agent failed, since that says
 * nothing about the agent. A failed claim is never retried, and neither are replies that are known.
 */
export async function executeAttempt(
  attempt: Attempt,
  context: AttemptContext,
  limits: AttemptLimits,
): Promise<FinishedAttempt> {
  const { agent, file } = attempt;
  const rules = agent?.retry;
  const replies = attempt.replies ?? ((options) => agent!.open({ id: attempt.test.id, file }, options));
  const most = attempt.replies === undefined ? (limits.retries ?? rules?.most ?? DEFAULT_RETRIES) : 0;
  const failed: AttemptRecord[] = [];
  /** Not tries: something else ended them. */
  const discarded: AttemptRecord[] = [];
  let faults = createFaults(attempt);
  for (let retries = 0; ; retries++) {
    let finished = await gradeInTime(attempt, replies, { context, faults, ...limits });
    // Not a retry: the next time it has a process of its own.
    for (let again = 0; finished.isBystander === true && again < 2 && !limits.signal.aborted; again++) {
      discarded.push(finished.record);
      faults = createFaults(attempt);
      finished = await gradeInTime(attempt, replies, { context, faults, ...limits });
    }
    const isFault = faults?.lastFault !== undefined;
    const waitMs = isFault ? 0 : retryDelayMs(retries, { ...rules, retryAfterMs: finished.retryAfterMs });
    const isOver =
      finished.record.error?.kind !== 'infrastructure' ||
      retries >= most ||
      waitMs === undefined ||
      limits.signal.aborted;
    if (isOver) {
      const ended = limits.signal.aborted
        ? finished
        : withTape(finished, { isFault, isStrict: context.strict === true });
      const all = [...failed, ...discarded];
      return all.length === 0 ? ended : { ...ended, record: { ...withSpent(ended.record, all), retries } };
    }
    failed.push(finished.record);
    // What failed because of a fault goes on after it. What failed by itself starts anew, with all faults before it.
    if (isFault) faults!.beginTry();
    else faults = createFaults(attempt);
    await sleep(waitMs, undefined, { signal: limits.signal }).catch(() => {});
    if (limits.signal.aborted) return finished;
  }
}

/** The attempt is over: what was recorded of it is written before its record is, so that a run that is continued lacks neither. */
function withTape(
  finished: FinishedAttempt,
  {
    isFault,
    isStrict,
  }: { /** Its last call met a fault. */ readonly isFault: boolean; readonly isStrict: boolean },
): FinishedAttempt {
  const { tape, record, findings } = finished;
  if (tape === undefined) return finished;
  const notes = tape.end({ error: record.error?.kind, isFault });
  if (notes.length === 0) return finished;
  const { file, line, column } = record;
  const added = notes.map((each) => ({
    ...each,
    // An error is that of the attempt: its file is fine.
    severity: 'warning' as const,
    file,
    line,
    column,
    path: '',
  }));
  // A recording that cannot be replayed is not a success.
  const problem = isStrict ? notes[0] : notes.find(({ severity }) => severity === 'error');
  const withNotes = { ...record, findings: [...(record.findings ?? []), ...added] };
  return {
    ...finished,
    findings: [...findings, ...added],
    record:
      problem !== undefined && record.error === undefined ? toError(withNotes, problem.message) : withNotes,
  };
}

function toError(record: AttemptRecord, message: string): AttemptRecord {
  return { ...record, score: undefined, verdict: 'error', error: { kind: 'cassette', message } };
}

/** What the tries before the last one used was paid for all the same, as far as it is known. */
function withSpent(record: AttemptRecord, failed: readonly AttemptRecord[]): AttemptRecord {
  return {
    ...record,
    retries_token_usage: addUsage(failed.flatMap(({ token_usage }) => token_usage ?? [])),
    retries_cost_usd: addAll(failed.flatMap((each) => spendingOf(each).agent ?? [])),
  };
}

/** What grading may use, and for how long. */
export type TimedHost = Omit<GradeHost, 'limit'> & Omit<AttemptLimits, 'retries'>;

/** Call `releaseLimits` after the last one. */
export async function gradeInTime(
  attempt: Attempt,
  replies: Replies,
  { context, faults, ...limits }: TimedHost,
): Promise<FinishedAttempt> {
  const pool = poolOf(limits);
  const { agent, checks } = attempt.test.workspace?.timeouts ?? {};
  const isOwn = agent !== undefined || checks !== undefined;
  const { timeoutMs, signal } = limits;
  const limit = isOwn
    ? new PhasedLimit(signal, { reply: agent ?? timeoutMs, verdict: checks ?? timeoutMs })
    : pool.take();
  limits.watchdog?.begin(attempt);
  try {
    return await grade(attempt, replies, { context, limit, faults });
  } finally {
    limits.watchdog?.end(attempt);
    limit.end();
    if (limit instanceof PhasedLimit) limit.letGo();
    else pool.giveBack(limit);
  }
}

/** The run is over. */
export function releaseLimits(signal: AbortSignal): void {
  pools.get(signal)?.close();
  pools.delete(signal);
}

/** One per run. */
const pools = new WeakMap<AbortSignal, LimitPool>();

function poolOf({ signal, timeoutMs }: Pick<AttemptLimits, 'signal' | 'timeoutMs'>): LimitPool {
  let pool = pools.get(signal);
  if (pool === undefined) pools.set(signal, (pool = new LimitPool(signal, timeoutMs)));
  return pool;
}
