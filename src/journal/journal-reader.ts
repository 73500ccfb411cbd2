import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { isJsonObject, type Json } from '../model/json.ts';
import { parseJson } from '../model/parse-json.ts';
import type { AttemptRecord } from '../model/record.ts';
import { JOURNAL_VERSION } from './journal-writer.ts';

const CHUNK_BYTES = 1024 * 1024;
/** A record holds replies, a few levels deeper than they came. */
const RECORD_DEPTH = { maxDepth: 2000 };
const LINE_FEED = 0x0a;

/** A record and where it stands in its journal. */
export interface JournalEntry {
  readonly record: AttemptRecord;
  readonly offset: number;
  readonly length: number;
}

/** A journal of a version this program does not know. */
export class JournalVersionError extends Error {}

/** The records of a journal, in order. Half a line at the end is what a killed process leaves, and is passed over. */
export function* readJournal(path: string): Generator<JournalEntry> {
  for (const { bytes, offset } of readWholeLines(path)) {
    if (offset === 0) checkHeader(bytes, path);
    const record = parseRecord(bytes);
    if (record !== undefined) yield { record, offset, length: bytes.length };
  }
}

/** Throws for the first line of a journal whose version is another one. */
export function checkHeader(line: Buffer, path: string): void {
  const header = parseLine(line);
  if (!isJsonObject(header) || !Object.hasOwn(header, 'assay_journal')) return;
  if (header['assay_journal'] !== JOURNAL_VERSION) {
    throw new JournalVersionError(
      `${path} is a journal of version ${String(header['assay_journal'])}; this program reads version ${JOURNAL_VERSION}`,
    );
  }
}

/** The record of a line; undefined for a line that holds none, or was damaged. */
export function parseRecord(line: Buffer): AttemptRecord | undefined {
  const value = parseLine(line);
  return isRecord(value) ? (value as unknown as AttemptRecord) : undefined;
}

export function isRecord(value: Json | undefined): boolean {
  return isJsonObject(value) && typeof value['id'] === 'string' && typeof value['verdict'] === 'string';
}

/** Reads one record again by its place. */
export function readRecordAt(
  path: string,
  { offset, length }: Pick<JournalEntry, 'offset' | 'length'>,
): AttemptRecord {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(length);
    readSync(file, bytes, 0, length, offset);
    return parseJson(bytes.toString('utf8'), RECORD_DEPTH) as unknown as AttemptRecord;
  } finally {
    closeSync(file);
  }
}

function parseLine(bytes: Buffer): Json | undefined {
  try {
    return parseJson(bytes.toString('utf8'), RECORD_DEPTH);
  } catch {
    // A line that was damaged by something else than us: its attempt counts as not done.
    return undefined;
  }
}

function* readWholeLines(path: string): Generator<{ readonly bytes: Buffer; readonly offset: number }> {
  // A process that was killed right at its start leaves a run without a journal.
  if (!existsSync(path)) return;
  const file = openSync(path, 'r');
  try {
    let pending: Buffer = Buffer.alloc(0);
    let offset = 0;
    for (let position = 0; ;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const read = readSync(file, chunk, 0, CHUNK_BYTES, position);
      if (read === 0) return;
      position += read;
      let bytes = Buffer.concat([pending, chunk.subarray(0, read)]);
      for (let feed = bytes.indexOf(LINE_FEED); feed !== -1; feed = bytes.indexOf(LINE_FEED)) {
        yield { bytes: bytes.subarray(0, feed), offset };
        offset += feed + 1;
        bytes = bytes.subarray(feed + 1);
      }
      pending = bytes;
    }
  } finally {
    closeSync(file);
  }
}
