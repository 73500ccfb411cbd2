import { watch, type FSWatcher } from 'node:fs';

/** File system events may be late or missing: the folder is checked this often in any case. */
const POLL_MS = 500;
/** A run that writes all the time is not checked all the time. */
const REST_MS = 100;

/** Wakes its listeners when something in a folder may have changed. */
export class RunWatch {
  private readonly watcher: FSWatcher | undefined;
  private wake: () => void = () => {};
  private hasChanged = false;

  constructor(folder: string) {
    this.watcher = tryWatch(folder, () => {
      this.hasChanged = true;
      this.wake();
    });
  }

  async next(signal: AbortSignal): Promise<void> {
    await pause(REST_MS, signal, () => {});
    if (!this.hasChanged) await pause(POLL_MS - REST_MS, signal, (wake) => (this.wake = wake));
    this.hasChanged = false;
  }

  close(): void {
    this.watcher?.close();
  }
}

function pause(ms: number, signal: AbortSignal, onReady: (wake: () => void) => void): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    onReady(done);
  });
}

function tryWatch(folder: string, onChange: () => void): FSWatcher | undefined {
  try {
    return watch(folder, { persistent: false }, onChange).on('error', () => {});
  } catch {
    return undefined;
  }
}
