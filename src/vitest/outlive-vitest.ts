type ErrorListener = (error: NodeJS.ErrnoException) => void;

let running = 0;
let gone = new AbortController();
let lost: Error | undefined;
let others: readonly ErrorListener[] = [];

/**
 * Vitest runs tests in a process of its own, which would go on if vitest itself is killed. The signal then stops
 * `work`, and this process lives until `work` has ended: vitest's own listener leaves at the first message that
 * cannot be sent, which is before a run is written.
 */
export async function outliveVitest<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  if (running++ === 0) holdErrors();
  try {
    return await work(gone.signal);
  } finally {
    if (--running === 0) releaseErrors();
  }
}

function holdErrors(): void {
  gone = new AbortController();
  if (process.connected === false) onGone();
  others = process.rawListeners('error') as ErrorListener[];
  process.removeAllListeners('error');
  process.on('error', onError).on('disconnect', onGone);
}

function releaseErrors(): void {
  process.off('error', onError).off('disconnect', onGone);
  for (const listener of others) process.on('error', listener);
  if (lost !== undefined) (process as NodeJS.EventEmitter).emit('error', lost);
}

function onGone(): void {
  gone.abort(new Error('vitest is gone'));
}

function onError(error: NodeJS.ErrnoException): void {
  if (error.code === 'ERR_IPC_CHANNEL_CLOSED' || error.code === 'EPIPE') {
    lost = error;
    onGone();
    return;
  }
  if (others.length === 0) throw error;
  for (const listener of others) listener(error);
}
