import type { TestRow } from '../run/test-row.ts';

/** A test with the results of its targets, each in the place of its column. */
export interface GridRow {
  readonly key: string;
  readonly file: string;
  readonly test: string;
  readonly description?: string | undefined;
  /** Undefined where a target did not run the test. */
  readonly cells: readonly (TestRow | undefined)[];
  /** Not every target got the same verdict, as often. */
  readonly differs: boolean;
}

export function gridKey({ file, test }: Pick<TestRow, 'file' | 'test'>): string {
  return `${file}\0${test}`;
}

/** All tests, by their keys, in the order in which they came. */
export function foldByTest(
  tests: readonly TestRow[],
  targets: readonly string[],
): ReadonlyMap<string, GridRow> {
  const columns = new Map(targets.map((target, index) => [target, index]));
  const found = new Map<string, (TestRow | undefined)[]>();
  for (const row of tests) {
    const key = gridKey(row);
    let cells = found.get(key);
    if (cells === undefined) {
      cells = Array.from({ length: targets.length });
      found.set(key, cells);
    }
    const column = columns.get(row.target);
    if (column !== undefined) cells[column] = row;
  }
  const rows = new Map<string, GridRow>();
  for (const [key, cells] of found) {
    const first = cells.find((cell) => cell !== undefined);
    if (first === undefined) continue;
    const { file, test, description } = first;
    rows.set(key, { key, file, test, description, cells, differs: doDiffer(cells) });
  }
  return rows;
}

/** The targets in the order of the run; those it does not name come last. */
export function targetsOf(tests: readonly TestRow[], named: readonly string[]): readonly string[] {
  const found = new Set(tests.map(({ target }) => target));
  return [
    ...named.filter((target) => found.has(target)),
    ...[...found].filter((one) => !named.includes(one)),
  ];
}

/** Whether there is something to see side by side: a run in which each test names its own target is a list. */
export function hasGrid(rows: ReadonlyMap<string, GridRow>): boolean {
  for (const { cells } of rows.values()) {
    let count = 0;
    for (const cell of cells) if (cell !== undefined && ++count === 2) return true;
  }
  return false;
}

/** Tests of which at least one result is shown, in the order of those. */
export function rowsInOrder(
  shown: readonly TestRow[],
  all: ReadonlyMap<string, GridRow>,
  { onlyDiffering }: { readonly onlyDiffering: boolean },
): readonly GridRow[] {
  const rows: GridRow[] = [];
  const seen = new Set<string>();
  for (const test of shown) {
    const key = gridKey(test);
    if (seen.has(key)) continue;
    seen.add(key);
    const row = all.get(key);
    if (row !== undefined && (row.differs || !onlyDiffering)) rows.push(row);
  }
  return rows;
}

/** A target that did not run the test says nothing about it. */
function doDiffer(cells: readonly (TestRow | undefined)[]): boolean {
  let first: TestRow | undefined;
  for (const cell of cells) {
    if (cell === undefined) continue;
    if (first === undefined) first = cell;
    else if (cell.verdict !== first.verdict || passShare(cell) !== passShare(first)) return true;
  }
  return false;
}

/** Over the measured repeats. */
function passShare({ attempts }: TestRow): number {
  let passed = 0;
  let measured = 0;
  for (const { verdict } of attempts) {
    if (verdict === 'passed') passed++;
    if (verdict === 'passed' || verdict === 'failed') measured++;
  }
  return measured === 0 ? -1 : passed / measured;
}
