import { setTimeout as wait } from 'node:timers/promises';
import { AgentError } from '../agents/contract.ts';
import { retryDelayMs } from '../retry/retry-delay.ts';
import { runAttempt, type Attempt, type AttemptContext, type FinishedAttempt } from './attempt.ts';

export interface AttemptLimits {
  readonly timeoutMs: number;
  /** How often an attempt is done again after an infrastructure failure. */
  readonly retries: number;
  readonly signal: AbortSignal;
}

export type ExecutionContext = Omit<AttemptContext, 'onOpen'>;

/**
 * Makes an attempt, within its time, and again while only the way to the agent failed: that says nothing about the agent.
 * A failed claim is never tried again.
 */
export async function executeAttempt(
  attempt: Attempt,
  context: ExecutionContext,
  limits: AttemptLimits,
): Promise<FinishedAttempt> {
  for (let retries = 0; ; retries++) {
    const finished = await runWithLimit(attempt, context, limits);
    const waitMs = retryDelayMs(retries, finished);
    const isOver =
      finished.record.error?.kind !== 'infrastructure' ||
      retries >= limits.retries ||
      waitMs === undefined ||
      limits.signal.aborted;
    if (isOver) return retries === 0 ? finished : { ...finished, record: { ...finished.record, retries } };
    await wait(waitMs, undefined, { signal: limits.signal }).catch(() => {});
    if (limits.signal.aborted) return finished;
  }
}

async function runWithLimit(
  attempt: Attempt,
  context: ExecutionContext,
  { timeoutMs, signal }: AttemptLimits,
): Promise<FinishedAttempt> {
  const limit = new AbortController();
  const onAbort = () => limit.abort(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  let timer: NodeJS.Timeout | undefined;
  // From when there is a session: waiting for a free one is not the agent's doing.
  const onOpen = () => {
    timer = setTimeout(() => {
      limit.abort(new AgentError('timeout', `no reply after ${timeoutMs / 1000} s (--timeout)`));
    }, timeoutMs);
  };
  try {
    return await runAttempt(attempt, { ...context, onOpen }, limit.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
