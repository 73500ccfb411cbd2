import { useMemo } from 'preact/hooks';
import type { TestRow } from '../run/test-row.ts';
import { foldByTest, hasGrid, rowsInOrder, targetsOf, type GridRow } from './grid-rows.ts';

export interface GridData {
  readonly targets: readonly string[];
  readonly byTest: ReadonlyMap<string, GridRow>;
  /** Whether a test has several targets. */
  readonly isPossible: boolean;
  /** How many tests the targets disagree on. */
  readonly differing: number;
  /** Those to show, in their order. */
  readonly rows: readonly GridRow[];
}

/** The tests of a run by target. `shown`: the results that the filter leaves, in the order of the list. */
export function useGrid(
  tests: readonly TestRow[],
  shown: readonly TestRow[],
  { named, onlyDiffering }: { readonly named: readonly string[]; readonly onlyDiffering: boolean },
): GridData {
  const data = useMemo(() => {
    const targets = targetsOf(tests, named);
    const byTest = foldByTest(tests, targets);
    const differing = [...byTest.values()].filter(({ differs }) => differs).length;
    return { targets, byTest, isPossible: targets.length > 1 && hasGrid(byTest), differing };
  }, [tests, named]);
  const rows = useMemo(
    () => (data.isPossible ? rowsInOrder(shown, data.byTest, { onlyDiffering }) : NO_ROWS),
    [data, shown, onlyDiffering],
  );
  return { ...data, rows };
}

const NO_ROWS: readonly GridRow[] = [];
