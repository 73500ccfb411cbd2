const CHUNK_ROWS = 4096;

/**
 * Rows of numbers, outside of the heap. With a hundred thousand objects of a few numbers each, the heap would grow
 * to several times their size before it is collected.
 */
export class NumberTable {
  private readonly width: number;
  /** Many small chunks: a large one that grows exists twice while it is copied, and longer. */
  private readonly chunks: Float64Array[] = [];
  size = 0;

  /** `width`: how many numbers a row has. */
  constructor(width: number) {
    this.width = width;
  }

  /** Returns the number of the row, from 0 on. */
  add(...row: readonly number[]): number {
    const number = this.size++;
    if (number % CHUNK_ROWS === 0) this.chunks.push(new Float64Array(CHUNK_ROWS * this.width));
    for (let field = 0; field < this.width; field++) this.set(number, field, row[field]!);
    return number;
  }

  get(row: number, field: number): number {
    return this.chunks[Math.floor(row / CHUNK_ROWS)]![(row % CHUNK_ROWS) * this.width + field]!;
  }

  set(row: number, field: number, value: number): void {
    this.chunks[Math.floor(row / CHUNK_ROWS)]![(row % CHUNK_ROWS) * this.width + field] = value;
  }
}
