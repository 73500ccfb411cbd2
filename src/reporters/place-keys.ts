import { byCodePoint } from '../model/by-code-point.ts';
import type { AttemptRecord } from '../model/record.ts';
import type { RecordPlace } from '../model/record-order.ts';

/** How many numbers a key has. */
export const PLACE_WIDTH = 8;

/** The fields with the numbers of names: the file, the file of the row, the target. */
const NAMES: ReadonlySet<number> = new Set([0, 3, 6]);

/** The places of records as numbers that sort as `inFileOrder` does, and then by repeat. Names are kept once. */
export class PlaceKeys {
  private readonly numbers = new Map<string, number>();
  private readonly names: string[] = [];

  keyOf({
    file,
    line,
    column,
    row,
    target,
    repeat,
  }: Omit<RecordPlace, 'test'> & Pick<AttemptRecord, 'repeat'>): number[] {
    return [
      this.numberOf(file),
      line,
      column,
      row === undefined ? -1 : this.numberOf(row.file),
      row?.line ?? -1,
      row?.column ?? -1,
      this.numberOf(target),
      repeat,
    ];
  }

  /** For two different values of a field. */
  readonly compare = (field: number, a: number, b: number): number =>
    NAMES.has(field) && a >= 0 && b >= 0 ? byCodePoint(this.names[a]!, this.names[b]!) : a - b;

  private numberOf(name: string): number {
    const known = this.numbers.get(name);
    if (known !== undefined) return known;
    this.numbers.set(name, this.names.length);
    return this.names.push(name) - 1;
  }
}
