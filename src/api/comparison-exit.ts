import type { Comparison } from '../model/comparison.ts';

/**
 * 1 it got worse, by the chosen rule; 3 nothing could be compared, or a test that was measured before now only meets with
 * errors; else 0.
 */
export function comparisonExit({ pairs, regression, lost_tests }: Comparison): 0 | 1 | 3 {
  if (regression.found) return 1;
  return pairs === 0 || lost_tests.length > 0 ? 3 : 0;
}

/** The exit code of a run that was compared with its baseline: the graver of the two. */
export function withComparison(exit_code: number, comparison: Comparison | undefined): number {
  if (comparison === undefined) return exit_code;
  const compared = comparisonExit(comparison);
  return GRAVEST_FIRST.find((code) => code === exit_code || code === compared) ?? exit_code;
}

const GRAVEST_FIRST = [130, 2, 1, 3, 0];
