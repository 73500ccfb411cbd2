import type { Comparison } from '../../base/model/comparison.ts';
import { compareRuns, type CompareOptions, type ComparedSide } from './compare-runs.ts';
import type { RunSide } from './run-side.ts';

/** One side of a comparison, with the results of one target only. */
export function sideOfTarget(side: ComparedSide, target: string): ComparedSide {
  const isIts = (test: { readonly target: string }): boolean => test.target === target;
  // Each branch has tests of its own type.
  return 'assay_baseline' in side
    ? { ...side, tests: side.tests.filter(isIts) }
    : { ...side, tests: side.tests.filter(isIts) };
}

/**
 * Compares the targets of one run, as if each had a run of its own: every target with the first one, or with the first
 * that shares a test with it.
 */
export function compareTargets(
  run: RunSide,
  targets: readonly string[],
  options: CompareOptions,
): readonly Comparison[] {
  const sides = targets.map((target) => sideOfTarget(run, target));
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
