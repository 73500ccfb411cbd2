import { MOST_PRINTED, type PrintedRows } from '../table/column.ts';
import { plural } from '../text/format.ts';
import type { ListRow } from './group-rows.ts';
import { isBad, type TestRow } from './test-row.ts';

/** What is printed of a run: all its tests, or of a long list those that did not pass. */
export function printedTests(rows: readonly ListRow[], tests: readonly TestRow[]): PrintedRows<ListRow> {
  if (rows.length <= MOST_PRINTED) return { rows };
  const bad = tests.filter((row) => isBad(row) || row.isFlaky);
  const shown = bad.slice(0, MOST_PRINTED);
  const count =
    shown.length < bad.length
      ? `${shown.length} of ${plural(bad.length, 'test')} that did not pass or are flaky`
      : bad.length === 0
        ? 'no test, since none failed'
        : `${plural(bad.length, 'test')} that did not pass or are flaky`;
  const rest = tests.length - bad.length;
  return {
    rows: shown,
    note: `Printed: ${count}. ${plural(rest, 'test')} that passed or were skipped are left out.`,
  };
}
