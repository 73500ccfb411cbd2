import { closeSync, fstatSync, fsyncSync, statSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { printJson } from '../../base/model/print-json.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import { keepTexts, withoutTexts } from '../../base/model/sent-texts.ts';
import { openForLines, writeAll } from './append-file.ts';
import { putSeal, SEAL_BYTES, sealLine } from './checksum.ts';
import { FileDigest } from './file-digest.ts';
import { JournalError } from './journal-error.ts';
import { readLines } from './journal-reader.ts';
import type { JournalSeal } from './journal-seal.ts';
import { JOURNAL_VERSION, type JournalHeader } from './line-opener.ts';
import { readOutlines } from './read-outlines.ts';
import type { RunTexts } from './run-texts.ts';
import { monotonicMs, startTimer, stopTimer } from '../../base/system/system-time.ts';

const FLUSH_MS = 250;
/**
 * The most data kept in memory for lines that are not written yet: with more, garbage collection costs twice as
 * much.
 */
const BUFFER_BYTES = 128 * 1024;
/** UTF-8 needs at most this many bytes for one code unit. */
const BYTES_PER_UNIT = 3;
const PIECE_UNITS = Math.floor(BUFFER_BYTES / BYTES_PER_UNIT);
const LINE_FEED = 0x0a;

/** With more records, the seal does not list their ids: every listing of runs reads the seal. */
const MOST_IDS = 5000;

export interface JournalOptions {
  readonly runId: string;
  /** Called if writing failed outside of a call. */
  readonly onError: (error: JournalError) => void;
  /** The texts that records refer to: each is on disk before the first record that does. */
  readonly texts?: RunTexts | undefined;
}

/**
 * Appends records, one line each. Lines are buffered for at most 250 ms, so that a run of fast tests does not write
 * for each one. A record that comes later than that is written at once.
 */
export class JournalWriter {
  private readonly path: string;
  private readonly options: JournalOptions;
  private readonly file: number;
  /**
   * Lines are encoded into it one by one: joining them as strings and encoding the result takes several times as
   * long.
   */
  private readonly buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  private pendingBytes = 0;
  /** Callbacks to run once the lines before them are written. */
  private waiting: (() => void)[] = [];
  private flushedAt = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private error: JournalError | undefined;
  private isClosed = false;
  /** Of everything in the file. */
  private readonly digest = new FileDigest();
  private damagedLines = 0;
  private records = 0;
  private readonly ids: string[] = [];

  constructor(path: string, options: JournalOptions) {
    this.path = path;
    this.options = options;
    this.file = openForLines(path);
    this.readExisting();
    if (this.digest.bytes === 0) this.begin(options.runId);
  }

  /** The content of the journal, so that any later change can be detected. */
  get seal(): JournalSeal {
    const { records, damagedLines, digest } = this;
    const ids = records > MOST_IDS ? undefined : this.ids;
    return {
      bytes: digest.bytes,
      crc32: digest.crc32,
      records,
      damaged_lines: damagedLines === 0 ? undefined : damagedLines,
      ids,
    };
  }

  /** The record as it will be in the journal: long texts of model calls are kept beside it, each once. */
  keepTexts(record: AttemptRecord): AttemptRecord {
    const { texts } = this.options;
    return texts === undefined ? withoutTexts(record) : keepTexts(record, (text) => texts.keep(text));
  }

  /** `json`: the record's JSON, if it was printed already. `done`: called when it is written, or cannot be. */
  append(record: AttemptRecord, json?: string, done?: () => void): void {
    try {
      if (this.error !== undefined) throw this.error;
      if (this.isClosed) return;
      this.put(json ?? printJson(record));
      this.listId(record.id);
    } finally {
      // Not earlier: making room for a line writes the others, and runs their callbacks.
      if (done !== undefined) this.waiting.push(done);
    }
    if (monotonicMs() - this.flushedAt >= FLUSH_MS) this.flush();
    else this.timer ??= startTimer(() => this.flushLater(), FLUSH_MS);
  }

  /** Everything appended is with the operating system, and survives the end of this process. */
  flush(): void {
    stopTimer(this.timer);
    this.timer = undefined;
    this.flushedAt = monotonicMs();
    const bytes = this.buffer.subarray(0, this.pendingBytes);
    this.pendingBytes = 0;
    try {
      if (bytes.length > 0) this.write(bytes);
    } finally {
      const { waiting } = this;
      this.waiting = [];
      for (const done of waiting) done();
    }
  }

  /** Runs a callback once everything appended before is written: at once, if it already is. */
  inOrder(done: () => void): void {
    if (this.waiting.length === 0) done();
    else this.waiting.push(done);
  }

  /** Everything appended is on the disk, and survives a crash of the machine. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    try {
      this.flush();
      this.guard(() => {
        this.options.texts?.sync();
        fsyncSync(this.file);
        this.checkPlace();
      });
    } finally {
      closeSync(this.file);
      this.options.texts?.close();
    }
  }

  private readExisting(): void {
    let lines = 0;
    for (const _ of readLines(this.path, this.digest)) lines++;
    for (const { id } of readOutlines(this.path)) this.listId(id);
    this.damagedLines = lines === 0 ? 0 : Math.abs(lines - 1 - this.records);
  }

  private begin(run_id: string): void {
    const header: JournalHeader = { assay_journal: JOURNAL_VERSION, run_id };
    this.put(JSON.stringify(header));
    this.flush();
  }

  private put(line: string): void {
    const most = line.length * BYTES_PER_UNIT + SEAL_BYTES + 1;
    if (most > BUFFER_BYTES - this.pendingBytes) this.flush();
    if (most > BUFFER_BYTES) return this.writeLong(line);
    this.pendingBytes = putLine(this.buffer, this.pendingBytes, line);
  }

  /** Piece by piece through the same buffer: one for a whole line would be as large as the line. */
  private writeLong(line: string): void {
    let checksum = 0;
    for (let start = 0, end = 0; start < line.length - 1; start = end) {
      end = wholeCharacters(line, start + PIECE_UNITS);
      const bytes = this.buffer.subarray(0, this.buffer.write(line.slice(start, end)));
      checksum = crc32(bytes, checksum);
      this.write(bytes);
    }
    const end = putSeal(this.buffer, 0, checksum);
    this.buffer[end] = LINE_FEED;
    this.write(this.buffer.subarray(0, end + 1));
  }

  private listId(id: string): void {
    if (++this.records <= MOST_IDS) this.ids.push(id);
  }

  private write(bytes: Buffer): void {
    this.guard(() => {
      this.options.texts?.flush();
      writeAll(this.file, bytes);
      this.digest.add(bytes);
      this.checkPlace();
    });
  }

  /** Writes to a removed file still succeed, but nobody will read them. */
  private checkPlace(): void {
    if (statSync(this.path, { throwIfNoEntry: false })?.ino !== fstatSync(this.file).ino)
      throw new Error('it was removed or replaced during the run');
  }

  private guard(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.error = error instanceof JournalError ? error : new JournalError(this.path, error);
      throw this.error;
    }
  }

  private flushLater(): void {
    try {
      this.flush();
    } catch (error) {
      this.options.onError(error as JournalError);
    }
  }
}

/** Returns the end. */
function putLine(buffer: Buffer, start: number, line: string): number {
  const end = sealLine(buffer, start, start + buffer.write(line, start) - 1);
  buffer[end] = LINE_FEED;
  return end + 1;
}

/** The end of a piece, without the closing brace and without splitting surrogate pairs. */
function wholeCharacters(line: string, wanted: number): number {
  const end = Math.min(wanted, line.length - 1);
  const last = line.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
