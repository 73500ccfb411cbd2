import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { monotonicMs, sleep } from '../base/system/system-time.ts';

const LONGEST_WAIT_MS = 60_000;
/** Who stops a run waits no longer than this for a program that does not read. */
const STOPPED_WAIT_MS = 1000;
const POLL_MS = 20;

/**
 * A report to a device or a pipe: what is written cannot be taken back. It never blocks: a blocked process could not
 * be stopped with a signal.
 */
export class DeviceFile {
  private readonly path: string;
  private readonly signal: AbortSignal | undefined;
  private readonly file: number;
  private isOpen = true;
  private written: Promise<void> = Promise.resolve();

  constructor(path: string, signal: AbortSignal | undefined) {
    this.path = path;
    this.signal = signal;
    this.file = openDevice(path);
  }

  write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    this.written = this.written.then(() => this.writeAll(bytes));
    // Not every reporter waits for it. The end does.
    this.written.catch(() => {});
    return this.written;
  }

  async commit(): Promise<void> {
    await this.written;
    this.discard();
  }

  discard(): void {
    if (this.isOpen) closeSync(this.file);
    this.isOpen = false;
  }

  private async writeAll(bytes: Uint8Array): Promise<void> {
    let progressAt = monotonicMs();
    for (let written = 0; written < bytes.length && this.isOpen;) {
      const count = this.writeSome(bytes.subarray(written));
      written += count;
      if (count > 0) {
        progressAt = monotonicMs();
        continue;
      }
      const waited = monotonicMs() - progressAt;
      if (waited > (this.signal?.aborted === true ? STOPPED_WAIT_MS : LONGEST_WAIT_MS))
        throw new Error(`no program has read from ${this.path} for ${Math.round(waited / 1000)} s`);
      await sleep(POLL_MS);
    }
  }

  /** Zero if the reader is behind. */
  private writeSome(bytes: Uint8Array): number {
    try {
      return writeSync(this.file, bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0;
      throw error;
    }
  }
}

function openDevice(path: string): number {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
    throw new Error(`no program reads from ${path}: start the reader first`, { cause: error });
  }
}
