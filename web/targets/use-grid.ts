import { useMemo } from 'preact/hooks';
import { matchQuery } from '../find/match-query.ts';
import type { SearchQuery } from '../find/query.ts';
import type { TestRow } from '../run/test-row.ts';
import { gridOf, hasGrid } from '../../src/runs/fold/target-grid.ts';
import { rowsInOrder, targetsOf, type GridRow } from './grid-rows.ts';

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

/**
 * The tests of a run by target. `shown`: the results that the filter leaves, in the order of the list. A test that is
 * shown has the cells of all targets; those that the query leaves out have no column.
 */
export function useGrid(
  tests: readonly TestRow[],
  shown: readonly TestRow[],
  {
    named,
    query,
    onlyDiffering,
  }: {
    readonly named: readonly string[];
    readonly query: SearchQuery;
    readonly onlyDiffering: boolean;
  },
): GridData {
  const data = useMemo(() => {
    const terms = query.terms.filter((term) => term.kind === 'values' && term.key === 'target');
    const wanted = terms.length === 0 ? tests : tests.filter(matchQuery({ terms }, {}));
    const targets = targetsOf(wanted, named);
    const byTest = gridOf(wanted, targets);
    const differing = [...byTest.values()].filter(({ differs }) => differs).length;
    return { targets, byTest, isPossible: targets.length > 1 && hasGrid(byTest.values()), differing };
  }, [tests, named, query]);
  const rows = useMemo(
    () => (data.isPossible ? rowsInOrder(shown, data.byTest, { onlyDiffering }) : NO_ROWS),
    [data, shown, onlyDiffering],
  );
  return { ...data, rows };
}

const NO_ROWS: readonly GridRow[] = [];
