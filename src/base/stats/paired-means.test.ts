import * as fc from '../../../test/seeded-fast-check.ts';
import { describe, expect, test } from 'vitest';
import { expectClose, oracle } from '../../../test/stats-oracle.ts';
import { clusteredDifference, type Cluster } from './clustered-difference.ts';
import { normalQuantile } from './normal-quantile.ts';
import { quantile } from './quantile.ts';
import { createGenerator } from './seeded-generator.ts';
import { signFlipTest } from './sign-flip-test.ts';
import { studentQuantile } from './student-quantile.ts';

const difference = fc.double({ min: -1, max: 1, noNaN: true });

describe('the clustered interval of a mean difference', () => {
  const limits = [-10, 10] as const;

  test.each(oracle.clustered)('$clusters', ({ clusters, value_low_high: [value, low, high] }) => {
    const interval = clusteredDifference(clusters, { limits })!;
    expect(interval.value).toBeCloseTo(value, 12);
    expect(interval.low).toBeCloseTo(low, 8);
    expect(interval.high).toBeCloseTo(high, 8);
  });

  test('one test, or tests with equal differences, give no spread', () => {
    expect(clusteredDifference([{ count: 5, sum: 1 }], { limits })).toBeUndefined();
    expect(
      clusteredDifference(
        [
          { count: 1, sum: 0.1 },
          { count: 3, sum: 0.3 },
        ],
        { limits },
      ),
    ).toBeUndefined();
  });

  test('ten copies of a test give no more information than one', () => {
    const once = [0.5, -0.25, 0, 0.1, 0.3].map((sum) => ({ count: 1, sum }));
    const copied = once.map(({ sum }) => ({ count: 10, sum: 10 * sum }));
    const [plain, repeated] = [once, copied].map((clusters) => clusteredDifference(clusters, { limits })!);
    expect(repeated!.low).toBeCloseTo(plain!.low, 12);
    expect(repeated!.high).toBeCloseTo(plain!.high, 12);
  });

  test('covers the truth about 95% of the time; counting repeats as tests would not', () => {
    const random = uniform(7);
    let covered = 0;
    let coveredNaively = 0;
    const [rounds, tests, repeats, truth] = [2000, 20, 5, -0.1];
    for (let round = 0; round < rounds; round++) {
      const clusters: Cluster[] = [];
      const single: Cluster[] = [];
      for (let index = 0; index < tests; index++) {
        const own = truth + (random() - 0.5) * 0.8;
        const values = Array.from({ length: repeats }, () => own + (random() - 0.5) * 0.4);
        clusters.push({ count: repeats, sum: values.reduce((sum, one) => sum + one, 0) });
        single.push(...values.map((sum) => ({ count: 1, sum })));
      }
      const covers = (given: readonly Cluster[]): number => {
        const { low, high } = clusteredDifference(given, { limits })!;
        return low <= truth && truth <= high ? 1 : 0;
      };
      covered += covers(clusters);
      coveredNaively += covers(single);
    }
    expect(covered / rounds).toBeGreaterThan(0.935);
    expect(covered / rounds).toBeLessThan(0.965);
    expect(coveredNaively / rounds).toBeLessThan(0.75);
  });
});

function uniform(seed: number): () => number {
  const next = createGenerator(seed);
  return () => next() / 2 ** 32;
}

describe('the paired permutation test', () => {
  test.each(oracle.sign_flip)('$differences', ({ differences, p }) => {
    expectClose(signFlipTest(differences), p);
  });

  test('no difference is no evidence', () => {
    expect(signFlipTest([])).toBe(1);
    expect(signFlipTest([0, 0, 0])).toBe(1);
  });

  test('is a probability that does not depend on order, side or unchanged tests', () => {
    fc.assert(
      fc.property(fc.array(difference, { maxLength: 12 }), (differences) => {
        const p = signFlipTest(differences);
        expect(p).toBeGreaterThan(0);
        expect(p).toBeLessThanOrEqual(1);
        expect(signFlipTest(differences.toReversed())).toBe(p);
        expect(signFlipTest(differences.map((one) => -one))).toBe(p);
        expect(signFlipTest([0, ...differences, 0])).toBe(p);
      }),
    );
  });

  test('sampled permutations agree with all permutations', () => {
    const random = uniform(3);
    const differences = Array.from({ length: 20 }, () => random() - 0.35);
    const all = signFlipTest(differences);
    // Two more that hardly matter, and there are too many ways to try them all.
    const sampled = signFlipTest([...differences, 1e-7, -1e-7]);
    expect(Math.abs(sampled - all)).toBeLessThan(4 * Math.sqrt((all * (1 - all)) / 9999));
    expect(signFlipTest([...differences, 1e-7, -1e-7])).toBe(sampled);
    expect(signFlipTest([...differences, 1e-7, -1e-7], 2)).not.toBe(sampled);
  });

  test('sampling never gives 0', () => {
    expect(signFlipTest(Array.from({ length: 50 }, () => 0.5))).toBe(1 / 10_000);
  });

  test('raises false alarms as often as alpha says', () => {
    const random = uniform(11);
    const rounds = 2000;
    let alarms = 0;
    for (let round = 0; round < rounds; round++)
      if (signFlipTest(Array.from({ length: 10 }, () => random() - 0.5)) <= 0.05) alarms++;
    expect(alarms / rounds).toBeGreaterThan(0.035);
    expect(alarms / rounds).toBeLessThan(0.065);
  });
});

describe('quantiles of distributions', () => {
  test.each(oracle.student)("Student's t, $degrees degrees", ({ degrees, quantile: expected }) => {
    expectClose(studentQuantile(0.95, degrees), expected, 1e-8);
  });

  test.each(oracle.normal)('normal, $probability', ({ probability: share, quantile: expected }) => {
    expect(normalQuantile(share)).toBeCloseTo(expected, 11);
  });

  test("Student's t approaches the normal distribution", () => {
    expect(studentQuantile(0.95, 99_999)).toBeCloseTo(normalQuantile(0.975), 4);
  });
});

describe('quantile', () => {
  test.each(oracle.quantile)('$values.length values', ({ values, median, p95 }) => {
    expect(quantile(values, 0.5)).toBeCloseTo(median, 12);
    expect(quantile(values, 0.95)).toBeCloseTo(p95, 9);
  });

  test('of nothing nothing is known', () => {
    expect(quantile([], 0.5)).toBeUndefined();
  });
});
