import { closeSync, openSync, readSync } from 'node:fs';
import type { AttemptRecord } from '../model/record.ts';
import { readWholeRecord, type JournalEntry } from './journal-reader.ts';

const READ_AHEAD_BYTES = 64 * 1024;

type Place = Pick<JournalEntry, 'offset' | 'length'>;

/** Single lines of a journal by their places. They are mostly asked for in order: what was read last often holds the next. */
export class RecordFile {
  private readonly path: string;
  /** Read into again and again: a record is parsed before the next one is asked for. */
  private buffer = Buffer.allocUnsafe(READ_AHEAD_BYTES);
  private last: { readonly offset: number; readonly bytes: Buffer } = { offset: 0, bytes: Buffer.alloc(0) };

  constructor(path: string) {
    this.path = path;
  }

  recordAt(place: Place): AttemptRecord {
    return readWholeRecord(this.lineAt(place));
  }

  private lineAt({ offset, length }: Place): Buffer {
    const { last } = this;
    if (offset < last.offset || offset + length > last.offset + last.bytes.length) {
      if (length > this.buffer.length) this.buffer = Buffer.allocUnsafe(length);
      this.last = { offset, bytes: readAt(this.path, this.buffer, offset) };
    }
    const start = offset - this.last.offset;
    return this.last.bytes.subarray(start, start + length);
  }
}

/** The bytes of one line alone; fewer when the journal ends before. */
export function readLineAt(path: string, { offset, length }: Place): Buffer {
  return readAt(path, Buffer.allocUnsafe(length), offset);
}

function readAt(path: string, buffer: Buffer, offset: number): Buffer {
  const file = openSync(path, 'r');
  try {
    return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, offset));
  } finally {
    closeSync(file);
  }
}
