import { DEFAULT_GATE_RULES } from '../model/gate.ts';
import type { AttemptRecord, Verdict } from '../model/record.ts';
import { inFileOrder, type RecordPlace } from '../model/record-order.ts';
import type { TestSummary } from '../model/summary.ts';
import { testKey, testOfFile } from '../model/test-key.ts';
import { testVerdict } from '../verdicts/test-verdict.ts';

/** A test, and what each target made of it. */
export interface GridRow {
  readonly file: string;
  readonly line: number;
  readonly test: string;
  readonly cells: ReadonlyMap<string, GridCell>;
}

/** A test of one target over its repeats. */
export interface GridCell extends Record<Verdict, number> {
  readonly verdict: Verdict;
}

/** More rows are counted, not shown: nobody compares two hundred tests in a table of text. */
const MAX_ROWS = 25;

type Counts = Record<Verdict, number>;

/** The results of a run with several targets, test by test. It keeps a few numbers of each attempt. */
export class TargetGrid {
  private readonly tests = new Map<
    string,
    { readonly place: RecordPlace; readonly counts: Map<string, Counts> }
  >();

  add({
    file,
    line,
    column,
    row: origin,
    test,
    target,
    verdict,
  }: RecordPlace & Pick<AttemptRecord, 'verdict'>): void {
    const key = testOfFile(file, test);
    let row = this.tests.get(key);
    if (row === undefined) {
      row = { place: { file, line, column, row: origin, test, target: '' }, counts: new Map() };
      this.tests.set(key, row);
    }
    let counts = row.counts.get(target);
    if (counts === undefined)
      row.counts.set(target, (counts = { passed: 0, failed: 0, error: 0, skipped: 0 }));
    counts[verdict]++;
  }

  /** In the order of the files. `decided`: tests that are repeated or have a gate, as the run judged them. */
  rows(decided: readonly TestSummary[] = []): readonly GridRow[] {
    const verdicts = new Map(decided.map((test) => [testKey(test), test.verdict]));
    const tests = [...this.tests.values()].sort((a, b) => inFileOrder(a.place, b.place));
    return tests.map(({ place: { file, line, test }, counts }) => ({
      file,
      line,
      test,
      cells: new Map(
        [...counts].map(([target, own]) => {
          const known = verdicts.get(testKey({ file, test, target }));
          const verdict = known ?? testVerdict({ ...own }, DEFAULT_GATE_RULES).verdict;
          return [target, { ...own, verdict }];
        }),
      ),
    }));
  }
}

export interface ShownRows {
  readonly rows: readonly GridRow[];
  /** What is not shown, for people; undefined if everything is. */
  readonly rest: string | undefined;
}

/** All rows, if they are few; otherwise those in which the targets differ. */
export function chooseRows(all: readonly GridRow[]): ShownRows {
  if (all.length <= MAX_ROWS) return { rows: all, rest: undefined };
  const different = all.filter(isDifferent);
  const rows = different.slice(0, MAX_ROWS);
  const others = different.length - rows.length;
  const same = all.length - different.length;
  const parts = [
    others > 0 ? `${others.toLocaleString('en')} more in which the targets differ` : '',
    same > 0 ? `${same.toLocaleString('en')} with the same result for every target` : '',
  ].filter((part) => part !== '');
  return { rows, rest: `not shown: ${parts.join(', ')}` };
}

function isDifferent({ cells }: GridRow): boolean {
  const results = [...cells.values()].map(
    ({ verdict, passed, failed }) => `${verdict} ${passed}/${passed + failed}`,
  );
  return new Set(results).size > 1;
}

/** `✓`, or `✗ 3/5` for a test that is repeated. */
export function cellText(cell: GridCell | undefined): string {
  if (cell === undefined) return '';
  const { verdict, passed, failed, error, skipped } = cell;
  const attempts = passed + failed + error + skipped;
  return attempts < 2 ? MARKS[verdict] : `${MARKS[verdict]} ${passed}/${passed + failed}`;
}

export const MARKS: Readonly<Record<Verdict, string>> = {
  passed: '✓',
  failed: '✗',
  error: '!',
  skipped: '-',
};
