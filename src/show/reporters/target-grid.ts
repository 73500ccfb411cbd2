import { gridOf, type GridCell, type GridRow } from '../../runs/fold/target-grid.ts';
import { attemptsOf, type TestResult } from '../../runs/fold/test-result.ts';
import type { Verdict } from '../../base/model/record.ts';
import { inFileOrder } from '../../base/model/record-order.ts';
import { grouped } from '../../base/model/grouped.ts';

/** More rows are counted, not shown: nobody compares two hundred tests in a table of text. */
const MAX_ROWS = 25;

interface GridOptions {
  /** The columns. */
  readonly targets: readonly { readonly target: string }[];
  readonly verdictOf: (test: TestResult) => Verdict;
}

/** The results of a run with several targets, test by test, in the order of the files. */
export function gridRows(
  tests: readonly TestResult[],
  { targets, verdictOf }: GridOptions,
): readonly GridRow[] {
  const cells = tests.map((test) => ({ ...test, verdict: verdictOf(test) }));
  const columns = targets.map(({ target }) => target);
  return [...gridOf(cells, columns).values()].sort((a, b) =>
    inFileOrder({ ...a.first, target: '' }, { ...b.first, target: '' }),
  );
}

export interface ShownRows {
  readonly rows: readonly GridRow[];
  /** What is not shown, for people; undefined if everything is. */
  readonly rest: string | undefined;
}

/** All rows, if they are few; otherwise those in which the targets differ. */
export function chooseRows(all: readonly GridRow[]): ShownRows {
  if (all.length <= MAX_ROWS) return { rows: all, rest: undefined };
  const different = all.filter(({ differs }) => differs);
  const rows = different.slice(0, MAX_ROWS);
  const others = different.length - rows.length;
  const same = all.length - different.length;
  const parts = [
    others > 0 ? `${grouped(others)} more in which the targets differ` : '',
    same > 0 ? `${grouped(same)} with the same result for every target` : '',
  ].filter((part) => part !== '');
  return { rows, rest: `not shown: ${parts.join(', ')}` };
}

/** `✓`, or `✗ 3/5` for a test that is repeated. */
export function cellText(cell: GridCell | undefined): string {
  if (cell === undefined) return '';
  const { verdict, passed, failed } = cell;
  const attempts = attemptsOf(cell);
  return attempts < 2 ? MARKS[verdict] : `${MARKS[verdict]} ${passed}/${passed + failed}`;
}

export const MARKS: Readonly<Record<Verdict, string>> = {
  passed: '✓',
  failed: '✗',
  error: '!',
  skipped: '-',
  not_graded: '?',
};
