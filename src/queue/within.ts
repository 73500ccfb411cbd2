import { sleep } from '../system-time.ts';

/**
 * Whether something was done in time. A server that is away may keep a call waiting for as long as it is. What comes
 * too late is ignored, whether it succeeds or fails.
 */
export async function within(
  limitMs: number,
  task: () => Promise<unknown>,
  signal?: AbortSignal,
): Promise<boolean> {
  const limit = new AbortController();
  const onAbort = (): void => limit.abort();
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted === true) limit.abort();
  try {
    return await Promise.race([
      task().then(() => true),
      sleep(limitMs, false, { signal: limit.signal }).catch(() => false),
    ]);
  } finally {
    signal?.removeEventListener('abort', onAbort);
    limit.abort();
  }
}
