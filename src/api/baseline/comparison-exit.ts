import type { Comparison } from '../../model/comparison.ts';
import type { Summary } from '../../model/summary.ts';

/** How the second run ended; undefined: it did not. */
export type RunExtent = Pick<Summary, 'interrupted' | 'not_started'> | undefined;

/**
 * 1: it got worse, by the chosen rule. 3: nothing could be compared, a test that was measured before now has only
 * errors, or the second run is incomplete. Otherwise 0.
 */
export function comparisonExit({ pairs, regression, lost_tests }: Comparison, after: RunExtent): 0 | 1 | 3 {
  if (regression.found) return 1;
  const isWhole = after?.interrupted === false && after.not_started === 0;
  return !isWhole || pairs === 0 || lost_tests.length > 0 ? 3 : 0;
}

/** The exit code of a run that was compared with its baseline: the worse of the two. */
export function withComparison(
  exit_code: number,
  comparison: Comparison | undefined,
  after: RunExtent,
): number {
  if (comparison === undefined) return exit_code;
  const compared = comparisonExit(comparison, after);
  return GRAVEST_FIRST.find((code) => code === exit_code || code === compared) ?? exit_code;
}

const GRAVEST_FIRST = [130, 2, 1, 3, 0];
