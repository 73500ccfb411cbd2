import type { Baseline, BaselineTest } from '../../base/model/baseline.ts';
import type { ByTest, ComparedRun, Comparison, RegressionRule } from '../../base/model/comparison.ts';
import { clusteredDifference } from '../../base/stats/clustered-difference.ts';
import { agreeingInterval } from '../../base/stats/agreeing-interval.ts';
import { averagedPairs, type AveragedPairs } from '../../base/stats/averaged-pairs.ts';
import { pairedRateInterval } from '../../base/stats/paired-rate-interval.ts';
import { pairsToSettle } from '../../base/stats/pairs-to-settle.ts';
import { signFlipTest } from '../../base/stats/sign-flip-test.ts';
import { stratifiedTest } from '../../base/stats/stratified-test.ts';
import { sampleTests } from './baseline-tests.ts';
import { findDetectable, POWER } from './find-detectable.ts';
import { findRegression } from './find-regression.ts';
import { pairAttempts } from './pair-attempts.ts';
import { pairTests } from './pair-tests.ts';
import type { PairedTest, Pairing } from './pairing.ts';
import { repeatedTests } from './repeated-tests.ts';
import { testKey } from '../../base/model/test-key.ts';
import { measuredOf, type ComparedTest, type RunSide } from './run-side.ts';
import { testChanges } from './test-changes.ts';

export interface CompareOptions {
  readonly rule: RegressionRule;
  /** A difference with a smaller p-value is more than chance. */
  readonly alpha: number;
  /** Both sides judged the same replies: no difference is chance, and the costs are equal. */
  readonly sameReplies?: boolean | undefined;
  /** Whether the second side has every test of a file of the first one: one that is missing was removed. */
  readonly hasAllOf?: ((file: string) => boolean) | undefined;
}

export type ComparedSide = RunSide | Baseline;

/** What changed from one run to another, and how much of it may be chance. */
export function compareRuns(before: ComparedSide, after: ComparedSide, options: CompareOptions): Comparison {
  const pairing = pairSides(before, after);
  const { tests, unit } = pairing;
  const { alpha, rule, sameReplies = false } = options;
  const pairs = sumOf(tests, (test) => test.pairs);
  const rates = averagedPairs(tests);
  const verdicts = sameReplies ? countVerdicts(tests) : testVerdicts(tests, rates, alpha);
  const { family, pValues } = repeatedTests(sameReplies ? [] : tests);
  const changes = testChanges(tests, pValues);
  const numberOf = (kind: string): number => changes.filter((change) => change.kind === kind).length;
  const sides = { before: describeSide(before), after: describeSide(after) };
  const isSameTarget = sides.before.targets.join('\0') === sides.after.targets.join('\0');
  return {
    ...sides,
    unit,
    pairs,
    tests: {
      compared: tests.length,
      new_failures: numberOf('new_failure'),
      fixes: numberOf('fix'),
      flips: numberOf('flip'),
      scores: numberOf('score'),
      // Another target changes the fingerprint of every test, even if the test's text is the same.
      edited: isSameTarget && !sameReplies ? tests.filter(({ isEdited }) => isEdited).length : 0,
    },
    changes,
    // Records are in the order in which attempts ended, which is never the same.
    only_before: pairing.onlyBefore.toSorted(),
    only_after: pairing.onlyAfter.toSorted(),
    unmeasured: pairing.unmeasured.toSorted(),
    lost_tests: [...pairing.lostTests, ...goneTests(pairing, options)].toSorted(),
    ...(sameReplies ? { same_replies: true } : {}),
    verdicts,
    scores: sameReplies ? meanScores(tests) : testScores(tests),
    ...(sameReplies ? {} : pairing.measures),
    alpha,
    detectable:
      sameReplies || tests.length === 0 ? undefined : findDetectable({ tests, rates, family, alpha }),
    regression: findRegression({ rule, alpha, tests, verdicts, pValues, sameReplies }),
  };
}

function goneTests({ gone }: Pairing, { hasAllOf = () => false }: CompareOptions): readonly string[] {
  return gone.filter(({ file }) => hasAllOf(file)).map(testKey);
}

function pairSides(before: ComparedSide, after: ComparedSide): Pairing {
  if (isRun(before) && isRun(after)) return pairAttempts(before, after);
  const samples = (side: ComparedSide) => (isRun(side) ? sampleTests(side) : side.tests);
  return pairTests(samples(before), samples(after));
}

function isRun(side: ComparedSide): side is RunSide {
  return !('assay_baseline' in side);
}

/** A run or a baseline, without its tests. */
export function describeSide(side: ComparedSide): ComparedRun {
  const { run_id } = side;
  const tests = isRun(side) ? side.tests.map(countsOf) : side.tests;
  return {
    run_id,
    targets: [...new Set(tests.map(({ target }) => target))].sort(),
    passed: sumOf(tests, ({ passed }) => passed),
    measured: sumOf(tests, ({ measured }) => measured),
  };
}

function countsOf(test: ComparedTest): Pick<BaselineTest, 'target' | 'passed' | 'measured'> {
  return { target: test.target, passed: test.passed, measured: measuredOf(test) };
}

function countVerdicts(tests: readonly PairedTest[]): Comparison['verdicts'] {
  return {
    new_failures: sumOf(tests, ({ worse }) => worse),
    fixes: sumOf(tests, ({ better }) => better),
  };
}

/**
 * The exact test asks whether the pass probability of any of these tests changed. If none did, a test's passes are
 * spread over its attempts in both runs alike, so every attempt counts. Whether other, similar tests would change
 * is another question; for that one, each test counts once.
 */
function testVerdicts(
  tests: readonly PairedTest[],
  rates: AveragedPairs,
  alpha: number,
): Comparison['verdicts'] {
  const counts = countVerdicts(tests);
  const hasRepeats = tests.some(({ before, after }) => before.measured > 1 || after.measured > 1);
  const by_test = hasRepeats ? testRates(tests) : undefined;
  if (tests.length === 0) return { ...counts, by_test };
  const p_value = stratifiedTest(tests);
  const wanted = p_value < alpha ? undefined : pairsToSettle(rates, { alpha, power: POWER });
  return {
    ...counts,
    difference: agreeingInterval(pairedRateInterval(rates), p_value),
    p_value,
    repeats_to_settle:
      wanted === undefined ? undefined : Math.max(1, Math.ceil((wanted - rates.pairs) / tests.length)),
    by_test,
  };
}

function testRates(tests: readonly PairedTest[]): ByTest {
  const changes = tests.map(
    ({ before, after }) => after.passed / after.measured - before.passed / before.measured,
  );
  const p_value = signFlipTest(changes);
  const difference = clusteredDifference(
    changes.map((sum) => ({ count: 1, sum })),
    { limits: [-1, 1] },
  );
  return { difference: agreeingInterval(difference, p_value), p_value };
}

function meanScores(tests: readonly PairedTest[]): Comparison['scores'] {
  const count = sumOf(tests, ({ scores }) => scores.count);
  if (count === 0) return {};
  return {
    before: sumOf(tests, ({ scores }) => scores.before) / count,
    after: sumOf(tests, ({ scores }) => scores.after) / count,
  };
}

function testScores(tests: readonly PairedTest[]): Comparison['scores'] {
  const clusters = tests.map(({ scores }) => scores).filter(({ count }) => count > 0);
  if (clusters.length === 0) return {};
  const p_value = signFlipTest(clusters.map(({ sum }) => sum));
  const difference = clusteredDifference(clusters, { limits: [-1, 1] });
  return { ...meanScores(tests), difference: agreeingInterval(difference, p_value), p_value };
}

function sumOf<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0);
}
