import { closeSync, openSync, readSync } from 'node:fs';
import type { AttemptRecord } from '../model/record.ts';
import { readWholeRecord, type JournalEntry } from './journal-reader.ts';

const READ_AHEAD_BYTES = 64 * 1024;

type Place = Pick<JournalEntry, 'offset' | 'length'>;

/** Single lines of a journal by their places. They are mostly asked for in order: what was read last often holds the next. */
export class RecordFile {
  private readonly path: string;
  private file: number | undefined;
  private last: { readonly offset: number; readonly bytes: Buffer } = { offset: 0, bytes: Buffer.alloc(0) };

  constructor(path: string) {
    this.path = path;
  }

  /** Shorter than its place when the journal ends before. */
  lineAt({ offset, length }: Place): Buffer {
    const before = offset - this.last.offset;
    if (before < 0 || before + length > this.last.bytes.length) {
      this.last = { offset, bytes: this.read(offset, Math.max(length, READ_AHEAD_BYTES)) };
      return this.last.bytes.subarray(0, length);
    }
    return this.last.bytes.subarray(before, before + length);
  }

  recordAt(place: Place): AttemptRecord {
    return readWholeRecord(this.lineAt(place));
  }

  close(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }

  private read(offset: number, length: number): Buffer {
    this.file ??= openSync(this.path, 'r');
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, readSync(this.file, bytes, 0, length, offset));
  }
}

/** One line alone. */
export function readLineAt(path: string, place: Place): Buffer {
  const file = new RecordFile(path);
  try {
    return file.lineAt(place);
  } finally {
    file.close();
  }
}
