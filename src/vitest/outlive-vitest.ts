type ErrorListener = (error: NodeJS.ErrnoException) => void;

let running = 0;
let gone = new AbortController();
let lost: Error | undefined;
let stoppedBy: NodeJS.Signals | undefined;
let others: readonly ErrorListener[] = [];

/** Ctrl-C and a closed terminal reach every process in it; vitest stops its processes with SIGTERM. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Vitest runs tests in a process of its own, which would go on if vitest itself is killed. The signal then stops
 * `work`, and this process lives until `work` has ended: vitest's own listener leaves at the first message that
 * cannot be sent, which is before a run is written. The signals that end a process wait for `work` too: otherwise,
 * agents that are programs would go on.
 */
export async function outliveVitest<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  if (running++ === 0) hold();
  try {
    return await work(gone.signal);
  } finally {
    if (--running === 0) release();
  }
}

function hold(): void {
  gone = new AbortController();
  lost = undefined;
  stoppedBy = undefined;
  if (process.connected === false) onGone();
  others = process.rawListeners('error') as ErrorListener[];
  process.removeAllListeners('error');
  process.on('error', onError).on('disconnect', onGone);
  for (const name of SIGNALS) process.on(name, onSignal);
}

function release(): void {
  process.off('error', onError).off('disconnect', onGone);
  for (const name of SIGNALS) process.off(name, onSignal);
  for (const listener of others) process.on('error', listener);
  if (stoppedBy !== undefined && process.listenerCount(stoppedBy) === 0) process.kill(process.pid, stoppedBy);
  if (lost !== undefined) (process as NodeJS.EventEmitter).emit('error', lost);
}

function onGone(): void {
  gone.abort(new Error('vitest is gone'));
}

function onSignal(name: NodeJS.Signals): void {
  stoppedBy = name;
  onGone();
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
