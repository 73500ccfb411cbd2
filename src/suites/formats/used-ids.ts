import type { Reader } from '../../base/schema/reader.ts';
import { quoteText } from '../../base/schema/values.ts';
import { IdTable } from './id-table.ts';

/** Marks the line of a row, which may be in another file. */
const ROW = 0x8000_0000;

/** The ids of a file, each with the line of its test or row. */
export class UsedIds {
  private readonly table = new IdTable();
  private readonly file: string | undefined;
  /** The files of tests that are not in the suite's own. */
  private readonly elsewhere = new Map<string, string>();

  constructor(file?: string) {
    this.file = file;
  }

  /** Whether the test at the reader is the first with this id; if not, that is reported. */
  add(id: string, line: number, reader: Reader): boolean {
    const { row } = reader;
    const before = this.table.add(id, row === undefined ? line : (row.line | ROW) >>> 0);
    const { file } = reader.source;
    if (before === undefined) {
      if (this.file !== undefined && this.file !== file) this.elsewhere.set(id, file);
      return true;
    }
    const other = this.elsewhere.get(id) ?? this.file;
    const inFile = other === undefined || other === file ? '' : ` of ${other}`;
    const where = before >= ROW ? `by the row on line ${before - ROW}` : `on line ${before}${inFile}`;
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
