import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

interface DraftOptions {
  readonly mode?: number;
  /** Where it is written until it is complete: what a killed process leaves is there. Default: beside the file. */
  readonly folder?: string;
}

/**
 * A file that is written piece by piece beside the one that it replaces at the end, so nobody ever reads half of
 * it.
 */
export class DraftFile {
  private readonly path: string;
  private readonly temporary: string;
  private readonly file: number;
  private isOpen = true;

  constructor(path: string, { mode, folder = dirname(path) }: DraftOptions = {}) {
    this.path = path;
    this.temporary = join(folder, `${basename(path)}.${process.pid}.tmp`);
    // Never write to a leftover of a killed process, or to a link that somebody put there.
    rmSync(this.temporary, { force: true });
    this.file = openSync(this.temporary, 'wx', mode);
  }

  write(text: string | Uint8Array): void {
    writeAll(this.file, text);
  }

  /** The content is on the disk. */
  sync(): void {
    fsyncSync(this.file);
  }

  /** Replaces the file. If that fails, nothing is left behind. */
  commit(): void {
    try {
      this.close();
      renameSync(this.temporary, this.path);
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  /** Removes the draft. */
  discard(): void {
    this.close();
    rmSync(this.temporary, { force: true });
  }

  private close(): void {
    if (this.isOpen) closeSync(this.file);
    this.isOpen = false;
  }
}

/** Removes the drafts of a file that killed processes left next to it. */
export function removeLeftDrafts(path: string): void {
  const start = `${basename(path)}.`;
  for (const name of readdirSync(dirname(path)))
    if (name.startsWith(start) && /^\d+\.tmp$/.test(name.slice(start.length)))
      removeIfLeft(dirname(path), name);
}

/** Removes a folder that contains only drafts, unless a living process uses it. */
export function removeDraftFolder(folder: string): void {
  try {
    for (const name of readdirSync(folder)) removeIfLeft(folder, name);
    rmdirSync(folder);
  } catch {
    // There is none, or it is in use.
  }
}

function removeIfLeft(folder: string, name: string): void {
  const pid = /\.(\d+)\.tmp$/.exec(name)?.[1];
  if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function writeAll(file: number, text: string | Uint8Array): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for (let written = 0; written < bytes.length;)
    written += writeSync(file, bytes, written, bytes.length - written);
}
