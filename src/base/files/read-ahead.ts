const READ_AHEAD_BYTES = 64 * 1024;

/** Fills a buffer from an offset of a file, and says how many bytes there were. */
export type ReadFileAt = (buffer: Buffer, offset: number) => number;

/** Pieces of a file by their places. They are mostly asked for in order: what was read last often holds the next one. */
export class ReadAhead {
  private readonly read: ReadFileAt;
  /** Read into again and again. */
  private buffer = Buffer.allocUnsafe(READ_AHEAD_BYTES);
  private last = { offset: 0, length: 0 };

  constructor(read: ReadFileAt) {
    this.read = read;
  }

  /** Good until the next one is asked for. Shorter when the file ends before. */
  pieceAt(offset: number, length: number): Buffer {
    if (offset < this.last.offset || offset + length > this.last.offset + this.last.length) {
      if (length > this.buffer.length) this.buffer = Buffer.allocUnsafe(length);
      this.last = { offset, length: this.read(this.buffer, offset) };
    }
    const start = offset - this.last.offset;
    return this.buffer.subarray(start, Math.min(start + length, this.last.length));
  }
}
