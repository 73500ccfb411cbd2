import type { SpoolFile } from '../files/spool-file.ts';

const WINDOW_BYTES = 32 * 1024;
const LENGTH_BYTES = 4;

export interface PartOptions {
  /** Where the part is; undefined if all of it is in `bytes`. */
  readonly file?: SpoolFile | undefined;
  readonly bytes?: Buffer;
  readonly start: number;
  readonly end: number;
  /** The bytes before the text of an item. The last four of them are the length of the text. */
  readonly headBytes: number;
  /** Parts with a lower number were written earlier. */
  readonly age: number;
}

/**
 * Reads the items of a sorted part, one after another. Until the first text is read it holds only its key: there may be
 * thousands of parts, and most of them have nothing to give for a long time.
 */
export class PartReader {
  readonly age: number;
  /** The bytes with the key of the current item, and where it starts in them. */
  bytes: Buffer;
  at = 0;
  /** Where `bytes` starts in the file. */
  private start: number;
  private readonly file: SpoolFile | undefined;
  private readonly end: number;
  private readonly headBytes: number;

  constructor({ file, bytes, start, end, headBytes, age }: PartOptions) {
    this.age = age;
    this.file = file;
    this.start = start;
    this.end = end;
    this.headBytes = headBytes;
    this.bytes = bytes ?? Buffer.allocUnsafeSlow(headBytes);
    if (bytes === undefined) file!.read(this.bytes, start);
  }

  text(): string {
    const size = this.headBytes + this.length;
    if (this.at + size > this.bytes.length) this.load(size);
    return this.bytes.toString('utf8', this.at + this.headBytes, this.at + size);
  }

  /** Goes to the next item. False if there is none. */
  advance(): boolean {
    this.at += this.headBytes + this.length;
    if (this.start + this.at >= this.end) return false;
    if (this.at + this.headBytes > this.bytes.length) this.load(this.headBytes);
    return true;
  }

  private get length(): number {
    return this.bytes.readUInt32LE(this.at + this.headBytes - LENGTH_BYTES);
  }

  /** Reads on from the current item. */
  private load(needed: number): void {
    this.start += this.at;
    this.at = 0;
    this.bytes = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(WINDOW_BYTES, this.end - this.start)));
    this.file!.read(this.bytes, this.start);
  }
}
