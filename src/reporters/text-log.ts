const CHUNK_BYTES = 1024 * 1024;

/**
 * Texts by their numbers, from 0 on, as bytes outside of the heap. Of a hundred thousand texts in it, the heap would grow to
 * several times their size before it is collected. A text must be well-formed, as JSON always is.
 */
export class TextLog {
  private readonly chunks: Buffer[] = [];
  /** Of the last chunk. */
  private taken = 0;
  /** Three for each text: its chunk, where it begins there, and its length. */
  private places = new Uint32Array(3 * 256);
  size = 0;

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
    const number = this.size++;
    if (3 * number === this.places.length) this.grow();
    this.places.set([this.chunks.length - 1, this.taken, length], 3 * number);
    this.taken += length;
    return number;
  }

  at(number: number): string {
    const [chunk, start, length] = this.places.subarray(3 * number) as unknown as [number, number, number];
    return this.chunks[chunk]!.toString('utf8', start, start + length);
  }

  private grow(): void {
    const places = new Uint32Array(2 * this.places.length);
    places.set(this.places);
    this.places = places;
  }
}
