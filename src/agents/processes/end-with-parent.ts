/**
 * Set to `stdin` by programs that start Assay: they keep its stdin open, and it ends in order when stdin ends. A parent
 * that is killed with SIGKILL has no other way to say so.
 */
export const PARENT_VARIABLE = 'ASSAY_PARENT';

const listeners = new Set<() => void>();
let isGone = false;

/** Called when the program that started this one is gone. */
export function onParentGone(listener: () => void): void {
  listeners.add(listener);
  if (isGone) listener();
}

/** Waits for the end of the parent, if it wants that. `leave` ends a command that nothing else ends. */
export function endWithParent(leave: () => void): void {
  const wanted = process.env[PARENT_VARIABLE];
  // What this process starts has another parent.
  delete process.env[PARENT_VARIABLE];
  if (wanted !== 'stdin') return;
  const onEnd = (): void => {
    if (isGone) return;
    isGone = true;
    if (listeners.size === 0) leave();
    for (const listener of listeners) listener();
  };
  process.stdin.once('end', onEnd).once('close', onEnd).once('error', onEnd).resume();
  // Waiting for this does not keep the process alive. A file cannot be unreferenced, and ends at once.
  if ('unref' in process.stdin) process.stdin.unref();
}
