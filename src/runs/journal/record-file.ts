import { closeSync, openSync, readSync } from 'node:fs';
import { ReadAhead } from '../../base/files/read-ahead.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import { readWholeRecord, type JournalEntry } from './journal-reader.ts';

type Place = Pick<JournalEntry, 'offset' | 'length'>;

/** Single lines of a journal by their places. The file is open only while it is read: a merge reads many journals. */
export class RecordFile {
  private readonly lines: ReadAhead;

  constructor(path: string) {
    this.lines = new ReadAhead((buffer, offset) => readAt(path, buffer, offset));
  }

  recordAt({ offset, length }: Place): AttemptRecord {
    return readWholeRecord(this.lines.pieceAt(offset, length));
  }
}

/** The bytes of exactly one line; fewer if the journal ends before. */
export function readLineAt(path: string, { offset, length }: Place): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  return buffer.subarray(0, readAt(path, buffer, offset));
}

function readAt(path: string, buffer: Buffer, offset: number): number {
  const file = openSync(path, 'r');
  try {
    return readSync(file, buffer, 0, buffer.length, offset);
  } finally {
    closeSync(file);
  }
}
