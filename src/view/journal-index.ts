import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkHeader } from '../journal/journal-reader.ts';
import { JournalTail } from '../journal/journal-tail.ts';
import { printJson } from '../model/print-json.ts';
import { resultRow } from './result-row.ts';
import { RunFold } from './run-fold.ts';

const BATCH_ROWS = 1000;

export interface RowBatch {
  /** JSON of a row each. */
  readonly rows: readonly string[];
  /** The index of the first row after them. */
  readonly next: number;
}

/**
 * Where each record of a journal stands, and its row, as the JSON text that is asked for. Records are read past and not
 * held. It reads as far as somebody asks, and goes on from there when the journal has grown.
 */
export class JournalIndex {
  readonly fold = new RunFold();
  private readonly path: string;
  private readonly tail: JournalTail;
  private readonly rows: string[] = [];
  private readonly offsets: number[] = [];
  private readonly lengths: number[] = [];
  private readonly superseded = new Set<number>();
  private reading: Promise<boolean> | undefined;
  private characters = 0;
  private failure: unknown;

  constructor(path: string) {
    this.path = path;
    this.tail = new JournalTail(path);
  }

  /** About how many bytes of memory it takes. */
  get weight(): number {
    return 2 * this.characters + 200 * this.rows.length;
  }

  /** Reads to the end of what is there. */
  async catchUp(): Promise<void> {
    while (await this.readMore());
  }

  /** The rows from an index on, read as they are taken. A row takes the place of an earlier one with the same id. */
  async *rowsFrom(from: number): AsyncGenerator<RowBatch> {
    for (let next = from; ;) {
      while (next < this.rows.length) {
        const end = Math.min(next + BATCH_ROWS, this.rows.length);
        const rows = this.rows.slice(next, end).filter((_, at) => !this.superseded.has(next + at));
        next = end;
        yield { rows, next };
      }
      if (!(await this.readMore())) return;
    }
  }

  async placeOf(index: number): Promise<{ readonly offset: number; readonly length: number } | undefined> {
    while (index >= this.rows.length && (await this.readMore()));
    const offset = this.offsets[index];
    return offset === undefined ? undefined : { offset, length: this.lengths[index]! };
  }

  /** Whoever asks while a piece is being read waits for that piece. False when there was nothing more. */
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
    for (const { bytes, offset } of lines ?? []) {
      if (offset === 0) this.checkVersion(bytes);
      const row = resultRow(bytes, this.rows.length);
      if (row === undefined) continue;
      const text = printJson(row);
      const before = this.fold.add(row);
      if (before !== undefined) this.superseded.add(before);
      this.rows.push(text);
      this.offsets.push(offset);
      this.lengths.push(bytes.length);
      this.characters += text.length;
    }
    return lines !== undefined;
  }

  /** A journal that cannot be read cannot be read by the next one who asks either. */
  private checkVersion(header: Buffer): void {
    try {
      checkHeader(header, this.path);
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}
