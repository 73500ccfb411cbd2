import { byCodePoint } from '../model/by-code-point.ts';
import { NumberTable } from '../model/number-table.ts';
import type { AttemptRecord } from '../model/record.ts';
import type { RecordPlace } from '../model/record-order.ts';

/**
 * The places of records by number, from 0 on, outside of the heap: enough to bring a million of them into the order
 * of the files. Names are kept once.
 */
export class PlaceTable {
  private readonly table = new NumberTable(8);
  private readonly names = new Map<string, number>();

  /** Returns its number. */
  add({ file, line, column, row, target, repeat }: RecordPlace & Pick<AttemptRecord, 'repeat'>): number {
    return this.table.add(
      this.numberOf(file),
      line,
      column,
      row === undefined ? -1 : this.numberOf(row.file),
      row?.line ?? -1,
      row?.column ?? -1,
      this.numberOf(target),
      repeat,
    );
  }

  /** Sorts numbers of records in place, as `inFileOrder` does. */
  sort(numbers: number[]): number[] {
    const sorted = [...this.names].sort(([a], [b]) => byCodePoint(a, b));
    const ranks = new Map(sorted.map(([, number], rank) => [number, rank]));
    const valueAt = (number: number, field: number): number => {
      const value = this.table.get(number, field);
      return NAMES.has(field) ? (ranks.get(value) ?? -1) : value;
    };
    return numbers.sort((a, b) => {
      for (let field = 0; field < 8; field++) {
        const difference = valueAt(a, field) - valueAt(b, field);
        if (difference !== 0) return difference;
      }
      return a - b;
    });
  }

  get size(): number {
    return this.table.size;
  }

  private numberOf(name: string): number {
    const known = this.names.get(name);
    if (known !== undefined) return known;
    this.names.set(name, this.names.size);
    return this.names.size - 1;
  }
}

/** The fields with the numbers of names: the file, the file of the row, the target. */
const NAMES: ReadonlySet<number> = new Set([0, 3, 6]);
