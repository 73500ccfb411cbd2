import type { BaselineOutcome } from '../../base/model/baseline-outcome.ts';
import type { Comparison } from '../../base/model/comparison.ts';
import type { Summary } from '../../base/model/summary.ts';

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

/** The exit code of a run that was compared with its baseline: the worst of all. */
export function withBaselines(exit_code: number, baselines: readonly BaselineOutcome[] = []): number {
  if (baselines.length === 0) return exit_code;
  const codes = new Set([exit_code, ...baselines.map(({ outcome }) => CODES[outcome])]);
  return GRAVEST_FIRST.find((code) => codes.has(code)) ?? exit_code;
}

const CODES = { held: 0, broken: 1, undecided: 3 } as const;
const GRAVEST_FIRST = [130, 2, 1, 3, 0];
