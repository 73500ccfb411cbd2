import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NumberTable } from '../model/number-table.ts';

const PIECE_BYTES = 1024 * 1024;
/** More than this goes to a file. */
const MEMORY_BYTES = 32 * 1024 * 1024;

/**
 * Strings by number, from 0 on. The first megabytes stay in memory, the rest goes to a temporary file: a run may have
 * gigabytes of records. The file has no name, so nothing is left of it, however the process ends.
 */
export class TextSpool {
  private readonly places = new NumberTable(2);
  private readonly pieces: { readonly start: number; readonly bytes: Buffer }[] = [];
  private tail: string[] = [];
  private tailBytes = 0;
  /** Where the next string starts. */
  private end = 0;
  /** How much of it is in the file. */
  private inFile = 0;
  private file: number | undefined;

  add(text: string): void {
    const length = Buffer.byteLength(text);
    this.places.add(this.end, length);
    this.tail.push(text);
    this.tailBytes += length;
    this.end += length;
    if (this.tailBytes >= PIECE_BYTES) this.store();
  }

  at(number: number): string {
    if (this.tailBytes > 0) this.store();
    const start = this.places.get(number, 0);
    const length = this.places.get(number, 1);
    if (start < this.inFile) return this.read(start, length);
    const piece = this.pieces.find(({ start: first, bytes }) => start < first + bytes.length)!;
    return piece.bytes.toString('utf8', start - piece.start, start - piece.start + length);
  }

  close(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }

  private store(): void {
    const bytes = Buffer.from(this.tail.join(''));
    this.pieces.push({ start: this.end - this.tailBytes, bytes });
    this.tail = [];
    this.tailBytes = 0;
    if (this.end - this.inFile <= MEMORY_BYTES) return;
    this.file ??= openNameless();
    for (const piece of this.pieces.splice(0)) {
      for (let done = 0; done < piece.bytes.length;)
        done += writeSync(this.file, piece.bytes, done, piece.bytes.length - done, this.inFile + done);
      this.inFile += piece.bytes.length;
    }
  }

  private read(start: number, length: number): string {
    const bytes = Buffer.allocUnsafe(length);
    for (let done = 0; done < length;) {
      const read = readSync(this.file!, bytes, done, length - done, start + done);
      if (read === 0) throw new Error('the temporary file of the report is shorter than what was written');
      done += read;
    }
    return bytes.toString('utf8');
  }
}

/** A file that only this process can reach. */
function openNameless(): number {
  const folder = mkdtempSync(join(tmpdir(), 'assay-report-'));
  try {
    return openSync(join(folder, 'records'), 'wx+', 0o600);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
