import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;

interface RetryWait {
  readonly atLeastMs?: number | undefined;
  readonly signal: AbortSignal;
}

/** Waits twice as long each time, with jitter so that many attempts do not come back at once. Aborting ends the wait. */
export async function waitBeforeRetry(retry: number, { atLeastMs = 0, signal }: RetryWait): Promise<void> {
  const backoff = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** retry) * (0.5 + Math.random() / 2);
  try {
    await sleep(Math.max(atLeastMs, backoff), undefined, { signal });
  } catch {
    // Aborted: the run decides what follows.
  }
}
