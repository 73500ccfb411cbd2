import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary file that only this process can reach. It has no name, so nothing is left of it, however the process ends. */
export class SpoolFile {
  private readonly file: number;
  size = 0;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), 'assay-report-'));
    try {
      this.file = openSync(join(folder, 'records'), 'wx+', 0o600);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  append(bytes: Buffer): void {
    for (let done = 0; done < bytes.length;)
      done += writeSync(this.file, bytes, done, bytes.length - done, this.size + done);
    this.size += bytes.length;
  }

  /** Fills `bytes` with what starts at `start`. */
  read(bytes: Buffer, start: number): void {
    for (let done = 0; done < bytes.length;) {
      const read = readSync(this.file, bytes, done, bytes.length - done, start + done);
      if (read === 0) throw new Error('the temporary file of the report is shorter than what was written');
      done += read;
    }
  }

  close(): void {
    closeSync(this.file);
  }
}
