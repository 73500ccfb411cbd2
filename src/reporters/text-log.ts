import { NumberTable } from '../model/number-table.ts';

const CHUNK_BYTES = 1024 * 1024;

/**
 * Texts by their numbers, from 0 on, as bytes outside of the heap. Of a hundred thousand texts in it, the heap would grow to
 * several times their size before it is collected. A text must be well-formed, as JSON always is.
 */
export class TextLog {
  private readonly chunks: Buffer[] = [];
  /** Of the last chunk. */
  private taken = 0;
  /** Of each text: its chunk, where it begins there, and its length. */
  private readonly places = new NumberTable(3);

  add(text: string): number {
    const most = 3 * text.length;
    let chunk = this.chunks.at(-1);
    if (chunk === undefined || chunk.length - this.taken < most) {
      // What is left of the chunk before is too little for this text, and is given up.
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
