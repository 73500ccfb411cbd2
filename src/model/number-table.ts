/**
 * Rows of numbers, outside of the heap. Of a hundred thousand objects with a few numbers each, the heap would grow to several
 * times their size before it is collected.
 */
export class NumberTable {
  private readonly width: number;
  private numbers: Float64Array;
  size = 0;

  /** `width`: how many numbers a row has. */
  constructor(width: number) {
    this.width = width;
    this.numbers = new Float64Array(width * 256);
  }

  /** Answers with the number of the row, from 0 on. */
  add(...row: readonly number[]): number {
    const at = this.size * this.width;
    if (at === this.numbers.length) {
      const longer = new Float64Array(2 * at);
      longer.set(this.numbers);
      this.numbers = longer;
    }
    for (let field = 0; field < this.width; field++) this.numbers[at + field] = row[field]!;
    return this.size++;
  }

  get(row: number, field: number): number {
    return this.numbers[row * this.width + field]!;
  }

  set(row: number, field: number, value: number): void {
    this.numbers[row * this.width + field] = value;
  }
}
