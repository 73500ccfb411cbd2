import { SpoolFile } from './spool-file.ts';

/** This much waits before it is written, and is read at once. */
const BLOCK_BYTES = 256 * 1024;

/** Where a text is, and how long it is, in bytes. */
export interface TextPlace {
  readonly start: number;
  readonly length: number;
}

/** Texts in a temporary file: they may be much larger than the memory. Reading them in about the order in which they came is fast. */
export class SpooledTexts {
  private file: SpoolFile | undefined;
  /** The texts that are not in the file yet, and where they start. */
  private waiting = Buffer.alloc(0);
  private taken = 0;
  /** A part of the file. */
  private read = { start: 0, bytes: Buffer.alloc(0) };

  /** A text must be well-formed, as JSON always is. */
  add(text: string): TextPlace {
    const length = Buffer.byteLength(text);
    if (this.taken + length > this.waiting.length) this.makeRoom(length);
    const start = this.stored + this.taken;
    this.waiting.write(text, this.taken);
    this.taken += length;
    return { start, length };
  }

  at({ start, length }: TextPlace): string {
    if (start >= this.stored) return textIn(this.waiting, start - this.stored, length);
    const { read } = this;
    const isRead = start >= read.start && start + length <= read.start + read.bytes.length;
    if (!isRead) this.readBlock(start, length);
    return textIn(this.read.bytes, start - this.read.start, length);
  }

  close(): void {
    this.file?.close();
    this.file = undefined;
    this.waiting = this.read.bytes = Buffer.alloc(0);
    this.taken = 0;
  }

  /** How many bytes are in the file. */
  private get stored(): number {
    return this.file?.size ?? 0;
  }

  private makeRoom(length: number): void {
    if (this.taken > 0) {
      this.file ??= new SpoolFile();
      this.file.append(this.waiting.subarray(0, this.taken));
      this.taken = 0;
    }
    // One text may be much larger than all the others.
    if (length > this.waiting.length || this.waiting.length > BLOCK_BYTES)
      this.waiting = Buffer.allocUnsafeSlow(Math.max(length, BLOCK_BYTES));
  }

  private readBlock(start: number, length: number): void {
    const size = Math.max(length, Math.min(BLOCK_BYTES, this.stored - start));
    this.read = { start, bytes: Buffer.allocUnsafeSlow(size) };
    this.file!.read(this.read.bytes, start);
  }
}

function textIn(bytes: Buffer, start: number, length: number): string {
  return bytes.toString('utf8', start, start + length);
}
