import { gridKey, type GridRow as FoldedRow } from '../../src/runs/fold/target-grid.ts';
import type { TestRow } from '../run/test-row.ts';

export type GridRow = FoldedRow<TestRow>;

/** The targets in the order of the run; those it does not name come last. */
export function targetsOf(tests: readonly TestRow[], named: readonly string[]): readonly string[] {
  const found = new Set(tests.map(({ target }) => target));
  return [
    ...named.filter((target) => found.has(target)),
    ...[...found].filter((one) => !named.includes(one)),
  ];
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
