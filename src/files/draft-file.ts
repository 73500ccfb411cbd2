import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

interface DraftOptions {
  readonly mode?: number;
}

/** A file that is written piece by piece beside the one whose place it takes at the end: nobody ever reads half of it. */
export class DraftFile {
  private readonly path: string;
  private readonly temporary: string;
  private readonly file: number;
  private isOpen = true;

  constructor(path: string, { mode }: DraftOptions = {}) {
    this.path = path;
    this.temporary = `${path}.${process.pid}.tmp`;
    // What a killed process left, or a link that somebody put there, is never written to.
    rmSync(this.temporary, { force: true });
    this.file = openSync(this.temporary, 'wx', mode);
  }

  write(text: string | Uint8Array): void {
    writeAll(this.file, text);
  }

  /** What was written is on the disk. */
  sync(): void {
    fsyncSync(this.file);
  }

  /** It takes the place of the file. Nothing is left of what could not. */
  commit(): void {
    try {
      this.close();
      renameSync(this.temporary, this.path);
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  /** As if nobody had begun it. */
  discard(): void {
    this.close();
    rmSync(this.temporary, { force: true });
  }

  private close(): void {
    if (this.isOpen) closeSync(this.file);
    this.isOpen = false;
  }
}

export function writeAll(file: number, text: string | Uint8Array): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for (let written = 0; written < bytes.length;)
    written += writeSync(file, bytes, written, bytes.length - written);
}
