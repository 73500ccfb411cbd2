import type { Place } from '../model/place.ts';
import type { Reader } from '../schema/reader.ts';
import { quoteText } from '../schema/values.ts';
import { IdTable } from './id-table.ts';

/** Marks the line of a row, which may be in another file. */
const ROW = 0x8000_0000;

/** The ids of a file, each with the line of its test or row. */
export class UsedIds {
  private readonly table = new IdTable();

  /** Whether the test at the reader is the first with this id; if not, that is reported. */
  add(
    id: string,
    reader: Reader,
    { line, row }: { readonly line: number; readonly row?: Place | undefined },
  ): boolean {
    const before = this.table.add(id, row === undefined ? line : (row.line | ROW) >>> 0);
    if (before === undefined) return true;
    const where = before >= ROW ? `by the row on line ${before - ROW}` : `on line ${before}`;
    reader.error({
      code: 'duplicate_id',
      message: `the id ${quoteText(id)} is already used ${where}`,
      hint:
        row === undefined
          ? 'give each test its own id'
          : 'give each row its own `id`, or write variables in the id of the test that tell the rows apart',
      at: ['id'],
    });
    return false;
  }
}
