import type { PassEstimate, PassRate, Summary } from '../model/summary.ts';
import { clusteredError } from '../stats/clustered-error.ts';
import { meanOverTests } from '../stats/mean-over-tests.ts';
import { passAtK, passHatK } from '../stats/pass-at-k.ts';
import type { CountedTests, PassCounts } from '../stats/pass-counts.ts';
import { wilsonInterval } from '../stats/wilson-interval.ts';
import { isCovered } from '../verdicts/coverage.ts';

/** pass@k and pass^k are computed up to this k. */
const MAX_K = 32;

/**
 * How often the tests of a run passed, from their counts alone. pass@k and pass^k stop where too few of the
 * measured tests have k attempts: a mean over fewer of them would not describe the run.
 */
export function passNumbers(
  groups: readonly CountedTests[],
  minCoverage: number,
): Pick<Summary, 'pass_rate' | 'pass_at_k' | 'pass_hat_k'> {
  let passed = 0;
  let measured = 0;
  let tests = 0;
  let most = 0;
  for (const group of groups) {
    passed += group.tests * group.passed;
    measured += group.tests * group.measured;
    if (group.measured > 0) tests += group.tests;
    most = Math.max(most, group.measured);
  }
  const ks = Array.from({ length: Math.min(most, MAX_K) }, (_, index) => index + 1);
  const estimates = (estimate: typeof passAtK): readonly PassEstimate[] =>
    ks.flatMap((k) => {
      const mean = meanOverTests(groups, (counts) => estimate(counts, k));
      return mean === undefined || !isCovered({ measured: mean.tests, planned: tests }, minCoverage)
        ? []
        : [{ k, ...mean }];
    });
  const rate = passRate({ passed, measured });
  return {
    pass_rate: rate === undefined ? undefined : { ...rate, standard_error: clusteredError(groups) },
    pass_at_k: estimates(passAtK),
    pass_hat_k: estimates(passHatK),
  };
}

/** Undefined if nothing was measured. */
export function passRate({ passed, measured }: PassCounts): PassRate | undefined {
  const { share, low, high } = wilsonInterval(passed, measured);
  if (share === undefined || low === undefined || high === undefined) return undefined;
  return { passed, measured, rate: share, low, high };
}
