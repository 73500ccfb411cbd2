import { closeSync, openSync, readSync, statSync } from 'node:fs';
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
  for (const { bytes, offset } of readRecordLines(path)) {
    const record = parseRecord(bytes);
    if (record !== undefined) yield { record, offset, length: bytes.length };
  }
}

const HEADER = Buffer.from('{"assay_journal":');

/** Whether a line is the header of a journal. Throws for one whose version is another one. */
export function checkHeader(line: Buffer, path: string): boolean {
  // The third byte alone tells nearly every record from a header.
  if (line[2] !== HEADER[2] || !line.subarray(0, HEADER.length).equals(HEADER)) return false;
  const header = parseLine(line);
  const version = isJsonObject(header) ? header['assay_journal'] : undefined;
  if (version !== JOURNAL_VERSION) {
    throw new JournalVersionError(
      `${path} is a journal of version ${String(version)}; this program reads version ${JOURNAL_VERSION}`,
    );
  }
  return true;
}

/** The record of a line; undefined for a line that holds none, or was damaged. */
export function parseRecord(line: Buffer): AttemptRecord | undefined {
  const value = parseLine(line);
  return isRecord(value) ? (value as unknown as AttemptRecord) : undefined;
}

export function isRecord(value: Json | undefined): boolean {
  return isJsonObject(value) && typeof value['id'] === 'string' && typeof value['verdict'] === 'string';
}

/** The record of a line that is known to hold one. */
export function readWholeRecord(line: Buffer): AttemptRecord {
  return parseJson(line.toString('utf8'), RECORD_DEPTH) as unknown as AttemptRecord;
}

function parseLine(bytes: Buffer): Json | undefined {
  try {
    return parseJson(bytes.toString('utf8'), RECORD_DEPTH);
  } catch {
    // A line that was damaged by something else than us: its attempt counts as not done.
    return undefined;
  }
}

/**
 * The lines that may be records: the header is checked and left out, and so is half a line at the end. Lines are views of
 * a buffer that is read into again: they are good until the next one is asked for.
 */
export function* readRecordLines(
  path: string,
): Generator<{ readonly bytes: Buffer; readonly offset: number }> {
  // A process that was killed right at its start leaves a run without a journal.
  // Reading a device or a FIFO would not end.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return;
  const file = openSync(path, 'r');
  try {
    let buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    /** How much of the buffer is the beginning of a line, and where in the file it stands. */
    let begun = 0;
    let offset = 0;
    for (;;) {
      const read = readSync(file, buffer, begun, buffer.length - begun, offset + begun);
      if (read === 0) return;
      const bytes = buffer.subarray(0, begun + read);
      let start = 0;
      for (let feed = bytes.indexOf(LINE_FEED, begun); feed !== -1; feed = bytes.indexOf(LINE_FEED, start)) {
        const line = bytes.subarray(start, feed);
        if (!checkHeader(line, path)) yield { bytes: line, offset: offset + start };
        start = feed + 1;
      }
      bytes.copyWithin(0, start);
      begun = bytes.length - start;
      offset += start;
      if (begun === buffer.length) buffer = Buffer.concat([buffer], 2 * buffer.length);
    }
  } finally {
    closeSync(file);
  }
}
