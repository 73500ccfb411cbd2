import { NumberTable } from '../model/number-table.ts';

const CHUNK_BYTES = 1024 * 1024;

/**
 * Strings by number, from 0 on, as bytes outside of the heap. With a hundred thousand strings in it, the heap would
 * grow to several times their size before it is collected. A string must be well-formed, as JSON always is.
 */
export class TextLog {
  private readonly chunks: Buffer[] = [];
  /** The length of the last chunk. */
  private taken = 0;
  /** For each string: its chunk, its offset there, and its length. */
  private readonly places = new NumberTable(3);

  add(text: string): number {
    const most = 3 * text.length;
    let chunk = this.chunks.at(-1);
    if (chunk === undefined || chunk.length - this.taken < most) {
      // The rest of the previous chunk is too small for this string, and stays unused.
      chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, most));
      this.chunks.push(chunk);
      this.taken = 0;
    }
    const length = chunk.write(text, this.taken);
    const number = this.places.add(this.chunks.length - 1, this.taken, length);
    this.taken += length;
    return number;
  }

  at(number: number): string {
    const start = this.places.get(number, 1);
    return this.chunks[this.places.get(number, 0)]!.toString(
      'utf8',
      start,
      start + this.places.get(number, 2),
    );
  }
}
