import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SpoolFile } from '../../base/files/spool-file.ts';
import { JournalTail } from '../../runs/journal/journal-tail.ts';
import { RecordPlaces } from '../../runs/journal/record-places.ts';
import { LineOpener, type OpenedLine } from '../../runs/journal/line-opener.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import { answerOf, answerStart } from './answer-start.ts';
import { resultRow, withTest } from './result-row.ts';
import { createFold, foldRow, type ViewedFold } from './run-totals.ts';

const LINE_FEED = 0x0a;

/** Rows that were read together. */
interface Piece {
  /** The index of its first row. */
  readonly first: number;
  /** One row per line, as JSON; undefined if they are in the file. */
  readonly bytes: Buffer | undefined;
  /** Where they start in the file. */
  readonly start: number;
  /** The offset of each row, and the end of the last one. */
  readonly starts: Uint32Array;
}

/** Where a record is in the journal. */
export interface RecordPlace {
  readonly offset: number;
  readonly length: number;
}

export interface RowBatch {
  /** One row per line, as JSON. */
  readonly lines: Buffer;
  /** The index of the first row after them. */
  readonly next: number;
}

/**
 * The place of each record in a journal, and its row as bytes, ready to send. Records are skipped over and not
 * kept. It reads only as far as requested, and continues from there when the journal has grown.
 */
export class JournalIndex {
  readonly fold: ViewedFold;
  private readonly opener: LineOpener;
  private readonly tail: JournalTail;
  private readonly pieces: Piece[] = [];
  private readonly places = new RecordPlaces();
  private readonly latest = new Map<string, number>();
  private readonly file: SpoolFile | undefined;
  private readonly superseded = new Set<number>();
  private reading: Promise<boolean> | undefined;
  private bytes = 0;
  private failure: unknown;
  private hasUnsealed = false;

  /** `file`: keeps the rows instead of the memory. The caller closes it. */
  constructor(run: RunDirectory, { file }: { readonly file?: SpoolFile } = {}) {
    this.file = file;
    this.fold = createFold(run);
    this.opener = new LineOpener(run.journalPath);
    this.tail = new JournalTail(run.journalPath);
  }

  /** Roughly the number of bytes it takes in memory. */
  get weight(): number {
    return this.bytes + 400 * this.places.size;
  }

  /** Reads to the current end. */
  async catchUp(): Promise<void> {
    while (await this.readMore());
  }

  /** The rows from an index on, read on demand. A row replaces an earlier one with the same id. */
  async *rowsFrom(from: number): AsyncGenerator<RowBatch> {
    let next = from;
    let at = this.pieces.findIndex(({ first, starts }) => from < first + starts.length - 1);
    if (at === -1) at = this.pieces.length;
    do {
      for (; at < this.pieces.length; at++) {
        const piece = this.pieces[at]!;
        const end = piece.first + piece.starts.length - 1;
        if (end <= next) continue;
        const lines = this.linesOf(piece, Math.max(next, piece.first));
        next = end;
        yield { lines, next };
      }
    } while (await this.readMore());
  }

  /** Whether each record so far has a checksum, and so is as our writer wrote it. */
  get isSealed(): boolean {
    return !this.hasUnsealed;
  }

  /** How many records it has seen so far. */
  get count(): number {
    return this.places.size;
  }

  /** The number of the latest record of an attempt. */
  latestOf(id: string): number | undefined {
    return this.latest.get(id);
  }

  async placeOf(index: number): Promise<RecordPlace | undefined> {
    while (index >= this.places.size && (await this.readMore()));
    return this.knownPlace(index);
  }

  /** The place of a record that it has seen. */
  knownPlace(index: number): RecordPlace | undefined {
    return Number.isInteger(index) && index >= 0 && index < this.places.size
      ? this.places.at(index)
      : undefined;
  }

  /** A caller that arrives while a piece is being read waits for that piece. False if there was nothing more. */
  private readMore(): Promise<boolean> {
    this.reading ??= nextTurn()
      .then(() => this.readPiece())
      .finally(() => {
        this.reading = undefined;
      });
    return this.reading;
  }

  private readPiece(): boolean {
    if (this.failure !== undefined) throw this.failure;
    const lines = this.tail.read();
    if (lines === undefined) return false;
    const texts: string[] = [];
    const first = this.places.size;
    for (const { bytes, offset } of lines) {
      const opened = this.open(bytes);
      if (opened.kind !== 'record') continue;
      const read = resultRow({ bytes, length: opened.length }, this.places.size);
      if (read === undefined) continue;
      const { row, record, endedAt } = read;
      const { replaced, test } = foldRow(this.fold, row, endedAt);
      const answer = record === undefined ? answerStart(bytes) : answerOf(record);
      texts.push(printJson({ ...withTest(row, test, this.fold.rules), answer }));
      this.latest.set(row.id, this.places.add({ offset, length: bytes.length }));
      if (opened.length === bytes.length) this.hasUnsealed = true;
      if (replaced !== undefined) this.superseded.add(replaced.index);
    }
    if (texts.length > 0) this.keep(first, texts);
    return true;
  }

  private keep(first: number, texts: readonly string[]): void {
    const bytes = Buffer.from(`${texts.join('\n')}\n`);
    const starts = [0];
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, end + 1))
      starts.push(end + 1);
    const piece = { first, starts: Uint32Array.from(starts), start: this.file?.size ?? 0 };
    this.pieces.push({ ...piece, bytes: this.file === undefined ? bytes : undefined });
    this.file?.append(bytes);
    this.bytes += bytes.length;
  }

  private linesOf(piece: Piece, from: number): Buffer {
    const { first, starts } = piece;
    const bytes = piece.bytes ?? this.stored(piece);
    const count = starts.length - 1;
    const lines: Buffer[] = [];
    let start = from - first;
    for (let at = start; at <= count; at++) {
      if (at < count && !this.superseded.has(first + at)) continue;
      if (at > start) lines.push(bytes.subarray(starts[start], starts[at]));
      start = at + 1;
    }
    return lines.length === 1 ? lines[0]! : Buffer.concat(lines);
  }

  private stored({ start, starts }: Piece): Buffer {
    const bytes = Buffer.allocUnsafe(starts.at(-1)!);
    this.file!.read(bytes, start);
    return bytes;
  }

  /** A journal that cannot be read fails for later callers too. */
  private open(line: Buffer): OpenedLine {
    try {
      return this.opener.open(line);
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}
