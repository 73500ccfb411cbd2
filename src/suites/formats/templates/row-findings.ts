import type { Finding } from '../../../base/model/finding.ts';
import type { Place } from '../../../base/model/place.ts';
import { ofRow } from '../../../base/model/row-finding.ts';
import type { Reader } from '../../../base/schema/reader.ts';

/** The same problem is reported for so many rows; the others are counted. */
const MOST_ROWS = 5;

/** Adds the row to the findings of a test with `each`, and keeps a mistake in the test from being reported a million times. */
export class RowFindings {
  private readonly reader: Reader;
  private readonly rows = new Map<string, number>();
  private readonly last = new Map<string, Finding>();

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** What was found since there were `before` findings is about this row. */
  settle(before: number, row: Place): void {
    const { findings } = this.reader;
    if (findings.length === before) return;
    for (const finding of findings.splice(before)) {
      const key = JSON.stringify([finding.code, finding.file, finding.line, finding.column, finding.message]);
      const count = (this.rows.get(key) ?? 0) + 1;
      this.rows.set(key, count);
      if (count > MOST_ROWS) this.last.set(key, finding);
      else findings.push(ofRow(finding, row));
    }
  }

  end(): void {
    for (const [key, finding] of this.last) {
      const more = this.rows.get(key)! - MOST_ROWS;
      const message = `${finding.message} (${more} more ${more === 1 ? 'row' : 'rows'})`;
      this.reader.findings.push({ ...finding, message });
    }
  }
}
