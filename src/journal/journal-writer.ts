import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';
import { printJson } from '../model/print-json.ts';
import type { AttemptRecord } from '../model/record.ts';
import { putSeal, SEAL_BYTES, sealLine } from './checksum.ts';
import { FileDigest } from './file-digest.ts';
import { JournalError } from './journal-error.ts';
import { readLines } from './journal-reader.ts';
import type { JournalSeal } from './journal-seal.ts';
import { JOURNAL_VERSION, type JournalHeader } from './line-opener.ts';
import { readOutlines } from './read-outlines.ts';
import { monotonicMs, startTimer, stopTimer } from '../system-time.ts';

const FLUSH_MS = 250;
/** What waits for its line to be written is held meanwhile: with more of it, collecting garbage costs twice as much. */
const BUFFER_BYTES = 128 * 1024;
/** UTF-8 has at most so many for one unit of a text. */
const BYTES_PER_UNIT = 3;
const PIECE_UNITS = Math.floor(BUFFER_BYTES / BYTES_PER_UNIT);
const LINE_FEED = 0x0a;
/** Through a link, records would be written to wherever it points. */
const { O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW } = constants;

/** Of more records, the seal does not list the ids: whoever lists runs reads it every time. */
const MOST_IDS = 5000;

export interface JournalOptions {
  readonly runId: string;
  /** Told when writing failed outside of a call. */
  readonly onError: (error: JournalError) => void;
}

/**
 * Appends records, one line each. Lines are gathered for at most 250 ms, so that a run of fast tests is not a run of
 * writes; a record that comes later than that is written at once.
 */
export class JournalWriter {
  private readonly path: string;
  private readonly options: JournalOptions;
  private readonly file: number;
  /** Lines are put into it one by one: gathering them as texts and encoding those together takes several times as long. */
  private readonly buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  private pendingBytes = 0;
  /** What is to be done when the lines before it are written. */
  private waiting: (() => void)[] = [];
  private flushedAt = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private error: JournalError | undefined;
  private isClosed = false;
  /** Of everything that is in the file. */
  private readonly digest = new FileDigest();
  private damagedLines = 0;
  private records = 0;
  private readonly ids: string[] = [];

  constructor(path: string, options: JournalOptions) {
    this.path = path;
    this.options = options;
    this.file = openSync(path, O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW, 0o600);
    repairTail(this.file);
    this.readExisting();
    if (this.digest.bytes === 0) this.begin(options.runId);
  }

  /** What the journal consists of, to be told from anything else it may become. */
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

  /** `json`: of the record, when somebody has printed it already. `done`: called when it is written, or cannot be. */
  append(record: AttemptRecord, json?: string, done?: () => void): void {
    try {
      if (this.error !== undefined) throw this.error;
      if (this.isClosed) return;
      this.put(json ?? printJson(record));
      this.listId(record.id);
    } finally {
      // Not before: making room for a line writes the others, and calls what waits for those.
      if (done !== undefined) this.waiting.push(done);
    }
    if (monotonicMs() - this.flushedAt >= FLUSH_MS) this.flush();
    else this.timer ??= startTimer(() => this.flushLater(), FLUSH_MS);
  }

  /** What was appended is with the operating system, and survives the end of this process. */
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

  /** Does something when what was appended before is written: at once, if it is. */
  inOrder(done: () => void): void {
    if (this.waiting.length === 0) done();
    else this.waiting.push(done);
  }

  /** What was appended is on the disk, and survives the end of the machine. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    try {
      this.flush();
      this.guard(() => {
        fsyncSync(this.file);
        this.checkPlace();
      });
    } finally {
      closeSync(this.file);
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

  /** Piece by piece through the same buffer: one for the whole of a line would be as large as the line. */
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
      writeAll(this.file, bytes);
      this.digest.add(bytes);
      this.checkPlace();
    });
  }

  /** A file that was removed takes writes as ever, and nobody will read them. */
  private checkPlace(): void {
    if (statSync(this.path, { throwIfNoEntry: false })?.ino !== fstatSync(this.file).ino)
      throw new Error('it was removed or replaced while the run went on');
  }

  private guard(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.error = new JournalError(this.path, error);
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

/** Answers with where it ends. */
function putLine(buffer: Buffer, start: number, line: string): number {
  const end = sealLine(buffer, start, start + buffer.write(line, start) - 1);
  buffer[end] = LINE_FEED;
  return end + 1;
}

/** The end of a piece that leaves out the closing brace, and parts no surrogates. */
function wholeCharacters(line: string, wanted: number): number {
  const end = Math.min(wanted, line.length - 1);
  const last = line.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}

function writeAll(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
}

/** A process that was killed may have left half a line: it is cut off, because no whole record is in it. */
function repairTail(file: number): void {
  const { size } = fstatSync(file);
  const chunk = Buffer.alloc(64 * 1024);
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - chunk.length);
    const read = readSync(file, chunk, 0, end - start, start);
    const feed = chunk.subarray(0, read).lastIndexOf(LINE_FEED);
    if (feed !== -1) {
      if (start + feed + 1 < size) ftruncateSync(file, start + feed + 1);
      return;
    }
    end = start;
  }
  if (size > 0) ftruncateSync(file, 0);
}
