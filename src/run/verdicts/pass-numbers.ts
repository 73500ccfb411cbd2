import type { PassEstimate, PassRate, Summary } from '../../base/model/summary.ts';
import { clusteredError } from '../../base/stats/clustered-error.ts';
import { meanOverTests } from '../../base/stats/mean-over-tests.ts';
import { passAtK, passHatK } from '../../base/stats/pass-at-k.ts';
import type { CountedTests, PassCounts } from '../../base/stats/pass-counts.ts';
import { wilsonInterval } from '../../base/stats/wilson-interval.ts';
import { isCovered } from '../../runs/fold/coverage.ts';

/** pass@k and pass^k are computed up to this k. */
const MAX_K = 32;

/** The tests of a run, each with its attempts; with several targets, each with those of all of them. */
export interface TestsOfRun {
  readonly groups: readonly CountedTests[];
  /** Tests that were to be measured, once for each target. */
  readonly planned: number;
}

/**
 * How often the tests of a run passed, from their counts alone. pass@k and pass^k stop where too few of the planned
 * tests have k attempts: a mean over fewer of them would not describe the run.
 */
export function passNumbers(
  { groups, planned }: TestsOfRun,
  minCoverage: number,
): Pick<Summary, 'pass_rate' | 'pass_at_k' | 'pass_hat_k'> {
  let passed = 0;
  let measured = 0;
  let most = 0;
  for (const group of groups) {
    passed += group.tests * group.passed;
    measured += group.tests * group.measured;
    most = Math.max(most, ...partsOf(group).map((part) => part.measured));
  }
  const withAttempts = (k: number): number =>
    groups.reduce(
      (sum, group) => sum + group.tests * partsOf(group).filter((part) => part.measured >= k).length,
      0,
    );
  const ks = Array.from({ length: Math.min(most, MAX_K) }, (_, index) => index + 1).filter((k) =>
    isCovered({ measured: withAttempts(k), planned }, minCoverage),
  );
  const estimates = (estimate: typeof passAtK): readonly PassEstimate[] =>
    ks.flatMap((k) => {
      const mean = meanOverTests(groups, (group: CountedTests) => {
        const values = partsOf(group).flatMap((part) => estimate(part, k) ?? []);
        return values.length === 0 ? undefined : values.reduce((sum, each) => sum + each, 0) / values.length;
      });
      return mean === undefined ? [] : [{ k, ...mean }];
    });
  const rate = passRate({ passed, measured });
  return {
    pass_rate: rate === undefined ? undefined : { ...rate, standard_error: clusteredError(groups) },
    pass_at_k: estimates(passAtK),
    pass_hat_k: estimates(passHatK),
  };
}

function partsOf(group: CountedTests): readonly PassCounts[] {
  return group.parts ?? [group];
}

/** Undefined if nothing was measured. */
export function passRate({ passed, measured }: PassCounts): PassRate | undefined {
  const { share, low, high } = wilsonInterval(passed, measured);
  if (share === undefined || low === undefined || high === undefined) return undefined;
  return { passed, measured, rate: share, low, high };
}
