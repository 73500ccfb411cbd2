import type { Verdict } from '../../base/model/record.ts';
import type { TestResult } from './test-result.ts';

/** A test of one target, and its verdict. */
export type GridCell = Readonly<Omit<TestResult, 'attempts'>> & { readonly verdict: Verdict };

/** What decides whether targets differ. */
type ComparedCell = Pick<GridCell, 'file' | 'test' | 'target' | 'verdict' | 'passed' | 'failed'>;

/** A test with the results of its targets, each in the place of its column. */
export interface GridRow<Cell extends ComparedCell = GridCell> {
  readonly key: string;
  readonly file: string;
  readonly test: string;
  /** The first of its results. */
  readonly first: Cell;
  /** Undefined where a target did not run the test. */
  readonly cells: readonly (Cell | undefined)[];
  /** Not every target got the same verdict, as often. */
  readonly differs: boolean;
}

export function gridKey({ file, test }: Pick<GridCell, 'file' | 'test'>): string {
  return `${file}\0${test}`;
}

/** All tests, by their keys, in the order in which they came. A target that has no column is left out. */
export function gridOf<Cell extends ComparedCell>(
  tests: readonly Cell[],
  targets: readonly string[],
): ReadonlyMap<string, GridRow<Cell>> {
  const columns = new Map(targets.map((target, index) => [target, index]));
  const found = new Map<string, (Cell | undefined)[]>();
  for (const test of tests) {
    const key = gridKey(test);
    let cells = found.get(key);
    if (cells === undefined) found.set(key, (cells = Array.from({ length: targets.length })));
    const column = columns.get(test.target);
    if (column !== undefined) cells[column] = test;
  }
  const rows = new Map<string, GridRow<Cell>>();
  for (const [key, cells] of found) {
    const first = cells.find((cell) => cell !== undefined);
    if (first === undefined) continue;
    rows.set(key, { key, file: first.file, test: first.test, first, cells, differs: doDiffer(cells) });
  }
  return rows;
}

/** Whether there is something to see side by side: a run in which each test names its own target is a list. */
export function hasGrid(rows: Iterable<{ readonly cells: readonly unknown[] }>): boolean {
  for (const { cells } of rows) {
    let count = 0;
    for (const cell of cells) if (cell !== undefined && ++count === 2) return true;
  }
  return false;
}

/** A target that did not run the test says nothing about it. */
function doDiffer(cells: readonly (ComparedCell | undefined)[]): boolean {
  let first: ComparedCell | undefined;
  for (const cell of cells) {
    if (cell === undefined) continue;
    if (first === undefined) first = cell;
    else if (cell.verdict !== first.verdict || passShare(cell) !== passShare(first)) return true;
  }
  return false;
}

/** Over the measured repeats. */
function passShare({ passed, failed }: ComparedCell): number {
  return passed + failed === 0 ? -1 : passed / (passed + failed);
}
