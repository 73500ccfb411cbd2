import { sleep } from '../../base/system/system-time.ts';

/**
 * Whether something finished in time. A server that is away may block a call for as long as it is away. A late
 * result is ignored, whether it succeeds or fails.
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
