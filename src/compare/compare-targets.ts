import type { Comparison } from '../model/comparison.ts';
import { compareRuns, type CompareOptions, type ComparedSide } from './compare-runs.ts';
import { RunRows } from './run-rows.ts';
import { TargetRows } from './target-rows.ts';

/** One side of a comparison, with the results of one target only. */
export function sideOfTarget(side: ComparedSide, target: string): ComparedSide {
  if (side instanceof RunRows) return new TargetRows(side, target);
  if (side instanceof TargetRows) return side;
  return { ...side, tests: side.tests.filter((test) => test.target === target) };
}

/**
 * Compares the targets of one run, as if each had a run of its own: every target with the first one, or with the first
 * that shares a test with it.
 */
export function compareTargets(
  rows: RunRows,
  targets: readonly string[],
  options: CompareOptions,
): readonly Comparison[] {
  const sides = targets.map((target) => new TargetRows(rows, target));
  return sides.flatMap((after, index) => {
    for (const before of sides.slice(0, index)) {
      const comparison = compareRuns(before, after, options);
      if (hasCommonTests(comparison)) return [comparison];
    }
    return [];
  });
}

function hasCommonTests({ tests, unmeasured, lost_tests }: Comparison): boolean {
  return tests.compared + unmeasured.length + lost_tests.length > 0;
}
