import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import { parseJson } from '../../base/model/parse-json.ts';
import type { AttemptRecord, Verdict } from '../../base/model/record.ts';
import { sealedLength, withoutSeal } from './checksum.ts';
import type { FileDigest } from './file-digest.ts';
import { LineOpener } from './line-opener.ts';

const CHUNK_BYTES = 1024 * 1024;
/** A record contains replies, a few levels deeper than they arrived. */
const RECORD_DEPTH = { maxDepth: 2000 };
const LINE_FEED = 0x0a;

/** A record and its place in the journal. */
export interface JournalEntry {
  readonly record: AttemptRecord;
  readonly offset: number;
  readonly length: number;
  /** It has a checksum, and the checksum matches. */
  readonly isSealed: boolean;
}

/** The records of a journal, in order. Half a line at the end is the trace of a killed process, and is ignored. */
export function* readJournal(path: string): Generator<JournalEntry> {
  for (const { bytes, length, offset } of readRecordLines(path)) {
    const record = parseRecord(bytes, length);
    if (record !== undefined) yield { record, offset, length: bytes.length, isSealed: length < bytes.length };
  }
}

/**
 * The record of a line; undefined if the line has none, or is damaged. `length`: of its JSON, without the checksum.
 */
export function parseRecord(line: Buffer, length = sealedLength(line)): AttemptRecord | undefined {
  const value = length === undefined ? undefined : parseLine(withoutSeal(line, length));
  return isRecord(value) && Array.isArray(value['steps']) && Array.isArray(value['assertions'])
    ? (value as unknown as AttemptRecord)
    : undefined;
}

/** Whether this has what every reader needs of a record; a journal may come from elsewhere. */
export function isRecord(value: Json | undefined): value is JsonObject {
  return (
    isJsonObject(value) &&
    TEXTS.every((name) => typeof value[name] === 'string') &&
    VERDICTS.has(value['verdict'] as string) &&
    // A recording does not always tell it.
    (typeof value['duration_ms'] === 'number' ||
      (value['duration_ms'] === undefined && value['source'] !== undefined))
  );
}

const TEXTS = ['id', 'file', 'test', 'target', 'fingerprint', 'started_at'] as const;
const VERDICTS: ReadonlySet<string> = new Set<Verdict>([
  'passed',
  'failed',
  'error',
  'skipped',
  'not_graded',
]);

/** The record of a line that is known to contain one. */
export function readWholeRecord(line: Buffer): AttemptRecord {
  const text = withoutSeal(line, sealedLength(line) ?? line.length);
  return parseJson(text, RECORD_DEPTH) as unknown as AttemptRecord;
}

function parseLine(text: string): Json | undefined {
  try {
    return parseJson(text, RECORD_DEPTH);
  } catch {
    // Something else damaged this line: its attempt counts as not done.
    return undefined;
  }
}

/** A line that may be a record. */
interface RecordLine {
  readonly bytes: Buffer;
  readonly offset: number;
  /** How many bytes precede its checksum. */
  readonly length: number;
}

/**
 * The lines that may be records, without those whose checksum does not match. The header is checked and left out.
 * With a digest, the checksums of lines are not verified: the caller verifies that of the file, which costs less.
 */
export function* readRecordLines(path: string, digest?: FileDigest): Generator<RecordLine> {
  const opener = new LineOpener(path, { isTrusted: digest !== undefined });
  for (const { bytes, offset } of readLines(path, digest)) {
    const opened = opener.open(bytes);
    if (opened.kind === 'record') yield { bytes, offset, length: opened.length };
  }
}

/** The whole lines of a journal. They are views of a reused buffer: each is valid until the next one is requested. */
export function* readLines(
  path: string,
  digest?: FileDigest,
): Generator<{ readonly bytes: Buffer; readonly offset: number }> {
  // A process that was killed right at its start leaves a run without a journal. Reading a device or a FIFO would
  // never end.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return;
  const file = openSync(path, 'r');
  try {
    let buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    /** How much of the buffer is the start of a line, and its offset in the file. */
    let begun = 0;
    let offset = 0;
    for (;;) {
      const read = readSync(file, buffer, begun, buffer.length - begun, offset + begun);
      if (read === 0) return;
      digest?.add(buffer.subarray(begun, begun + read));
      const bytes = buffer.subarray(0, begun + read);
      let start = 0;
      for (let feed = bytes.indexOf(LINE_FEED, begun); feed !== -1; feed = bytes.indexOf(LINE_FEED, start)) {
        yield { bytes: bytes.subarray(start, feed), offset: offset + start };
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
