import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const CHUNK_BYTES = 1024 * 1024;
const LINE_FEED = 0x0a;

/** A whole line of a journal, and its offset. */
export interface JournalLine {
  readonly bytes: Buffer;
  readonly offset: number;
}

/**
 * Reads a journal piece by piece, and continues where it stopped when the journal has grown. Half a line at the end
 * does not count yet.
 */
export class JournalTail {
  private readonly path: string;
  private position = 0;
  private lineStart = 0;
  /** The pieces of a line without an end so far: joined once, for a line of any length. */
  private pending: Buffer[] = [];

  constructor(path: string) {
    this.path = path;
  }

  /** The whole lines of the next piece, possibly none; undefined if there is nothing more to read for now. */
  read(): readonly JournalLine[] | undefined {
    const chunk = this.readChunk();
    if (chunk === undefined) return undefined;
    const lines: JournalLine[] = [];
    let start = 0;
    for (let feed = chunk.indexOf(LINE_FEED); feed !== -1; feed = chunk.indexOf(LINE_FEED, start)) {
      const end = chunk.subarray(start, feed);
      const bytes = this.pending.length === 0 ? end : Buffer.concat([...this.pending, end]);
      this.pending = [];
      lines.push({ bytes, offset: this.lineStart });
      this.lineStart += bytes.length + 1;
      start = feed + 1;
    }
    if (start < chunk.length) this.pending.push(chunk.subarray(start));
    return lines;
  }

  private readChunk(): Buffer | undefined {
    const file = openIfThere(this.path);
    if (file === undefined) return undefined;
    try {
      const left = Math.max(0, fstatSync(file).size - this.position);
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, left));
      const read = readSync(file, chunk, 0, chunk.length, this.position);
      this.position += read;
      if (read > 0) return chunk.subarray(0, read);
      this.forgetHalfLine();
      return undefined;
    } finally {
      closeSync(file);
    }
  }

  /** A resumed run cuts it off and writes something else there: then it is read again. */
  private forgetHalfLine(): void {
    this.position = this.lineStart;
    this.pending = [];
  }
}

/** A run that has just started has no journal yet. */
function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
