import * as fc from '../../../test/seeded-fast-check.ts';
import { describe, expect, test } from 'vitest';
import { expectClose, oracle } from '../../../test/stats-oracle.ts';
import { averagedPairs } from './averaged-pairs.ts';
import { mcnemarTest } from './mcnemar-test.ts';
import { passSplit, type TestCounts } from './pass-split.ts';
import { smallestDrop } from './smallest-drop.ts';
import { repeatsToShowOne, smallestTestDrop } from './smallest-test-drop.ts';
import { stratifiedTest } from './stratified-test.ts';
import { TestFamily } from './test-family.ts';

type Counts = readonly [number, number];
const testsOf = (pairs: readonly (readonly [Counts, Counts])[]): readonly TestCounts[] =>
  pairs.map(([before, after]) => ({
    before: { passed: before[0], measured: before[1] },
    after: { passed: after[0], measured: after[1] },
  }));

const side = fc.tuple(fc.nat(6), fc.nat(6)).map(([passed, failed]) => ({
  passed,
  measured: Math.max(1, passed + failed),
}));
const suites = fc.array(fc.record({ before: side, after: side }), { minLength: 1, maxLength: 8 });
const swap = (tests: readonly TestCounts[]): readonly TestCounts[] =>
  tests.map(({ before, after }) => ({ before: after, after: before }));

describe('the exact test of a whole suite', () => {
  test.each(oracle.stratified)('case %#', ({ tests, p }) => {
    expectClose(stratifiedTest(testsOf(tests)), p);
  });

  test('is a probability, and does not depend on the order of the runs', () => {
    fc.assert(
      fc.property(suites, (tests) => {
        const p = stratifiedTest(tests);
        expect(p).toBeGreaterThan(0);
        expect(p).toBeLessThanOrEqual(1);
        expectClose(stratifiedTest(swap(tests)), p);
      }),
    );
  });

  test("is McNemar's for one attempt of each test", () => {
    const alike = { before: { passed: 1, measured: 1 }, after: { passed: 1, measured: 1 } };
    const worse = { ...alike, after: { passed: 0, measured: 1 } };
    const better = { ...alike, before: { passed: 0, measured: 1 } };
    expect(stratifiedTest([alike, worse, worse, worse, worse, better])).toBe(
      mcnemarTest({ better: 1, worse: 4 }),
    );
    // Not by another way: a test with repeats that all pass adds nothing.
    const repeated = { before: { passed: 3, measured: 3 }, after: { passed: 3, measured: 3 } };
    expect(stratifiedTest([repeated, worse, worse])).toBe(mcnemarTest({ better: 0, worse: 2 }));
  });

  test('matches the normal distribution for very many tests', () => {
    const one = { before: { passed: 2, measured: 3 }, after: { passed: 1, measured: 3 } };
    const tests = Array.from({ length: 20_000 }, (_, index) => (index % 200 < 101 ? one : swap([one])[0]!));
    // 100 passes fewer after than expected, with a variance of 9/20 for each test: z = 99.5 / sqrt(9000).
    expect(stratifiedTest(tests)).toBeCloseTo(0.2943, 3);
  });
});

describe('single tests, corrected', () => {
  test.each(oracle.family)('case %#', ({ tests, p }) => {
    for (const [index, value] of new TestFamily(testsOf(tests)).pValues().entries())
      expectClose(value, p[index]!);
  });

  test("lies between twice the test's own p and the Bonferroni correction", () => {
    fc.assert(
      fc.property(suites, (tests) => {
        for (const [index, corrected] of new TestFamily(tests).pValues().entries()) {
          const own = ownP(tests[index]!);
          expect(corrected).toBeGreaterThanOrEqual(Math.min(1, 2 * own) * (1 - 1e-9));
          expect(corrected).toBeLessThanOrEqual(Math.min(1, 2 * own * tests.length) * (1 + 1e-9));
        }
      }),
    );
  });

  test('more repeats of tests that always pass cost the others nothing', () => {
    const broken = testsOf([
      [
        [4, 4],
        [0, 4],
      ],
    ]);
    const solid = testsOf(
      Array.from(
        { length: 500 },
        () =>
          [
            [10, 10],
            [10, 10],
          ] as const,
      ),
    );
    expectClose(new TestFamily([...broken, ...solid]).pValues()[0]!, 2 / 70);
  });
});

describe('the smallest detectable drop', () => {
  test('for a test, is where its corrected p crosses alpha', () => {
    for (const repeats of [4, 5, 8, 10, 20]) {
      const solid = testsOf(
        Array.from(
          { length: 10 },
          () =>
            [
              [repeats, repeats],
              [repeats, repeats],
            ] as const,
        ),
      );
      const found = smallestTestDrop({ before: repeats, after: repeats }, new TestFamily(solid), SEEN)!;
      const pOf = (passed: number) =>
        new TestFamily([
          ...solid,
          ...testsOf([
            [
              [repeats, repeats],
              [passed, repeats],
            ],
          ]),
        ])
          .pValues()
          .at(-1)!;
      expect(pOf(found.atMost)).toBeLessThan(0.05);
      expect(pOf(found.atMost + 1)).toBeGreaterThanOrEqual(0.05);
    }
    expect(smallestTestDrop({ before: 3, after: 3 }, new TestFamily([]), SEEN)).toBeUndefined();
  });

  test('the computed number of repeats is the smallest that can show one broken test among varying ones', () => {
    for (const tests of [1, 4, 20, 100, 1000]) {
      const repeats = repeatsToShowOne(tests, 0.05);
      const pOf = (attempts: number): number => {
        const [all, none] = [
          { passed: attempts, measured: attempts },
          { passed: 0, measured: attempts },
        ];
        const broken = Array.from({ length: tests }, () => ({ before: all, after: none }));
        const solid = Array.from({ length: 50 }, () => ({ before: all, after: all }));
        return new TestFamily([...broken, ...solid]).pValues()[0]!;
      };
      expect(pOf(repeats)).toBeLessThan(0.05);
      expect(pOf(repeats - 1)).toBeGreaterThanOrEqual(0.05);
    }
  });

  test('for the whole run, falls with more pairs and grows with noise', () => {
    const drop = (pairs: number, noise: number) => smallestDrop({ pairs, noise }, { ...SEEN, largest: 1 });
    expect(drop(300, 0.1)!).toBeLessThan(drop(100, 0.1)!);
    expect(drop(300, 0.3)!).toBeGreaterThan(drop(300, 0.1)!);
    expect(drop(5, 0)).toBeUndefined();
    expect(smallestDrop({ pairs: 100, noise: 0.2 }, { ...SEEN, largest: 0.05 })).toBeUndefined();
  });

  test('noise is the variation between attempts of one test, or between single attempts that changed both ways', () => {
    // Of four attempts of which two passed, two thirds of the pairs differ.
    expect(
      averagedPairs(
        testsOf([
          [
            [1, 2],
            [1, 2],
          ],
        ]),
      ).noise,
    ).toBeCloseTo(2 / 3, 12);
    expect(
      averagedPairs(
        testsOf([
          [
            [1, 1],
            [0, 1],
          ],
          [
            [1, 1],
            [1, 1],
          ],
        ]),
      ).noise,
    ).toBe(0);
    expect(
      averagedPairs(
        testsOf([
          [
            [1, 1],
            [0, 1],
          ],
          [
            [0, 1],
            [1, 1],
          ],
        ]),
      ).noise,
    ).toBe(1);
  });
});

const SEEN = { alpha: 0.05, power: 0.8 };

/** One-sided, in the direction of the change. */
function ownP(counts: TestCounts): number {
  const { before, after } = counts;
  const { low, chances } = passSplit(counts);
  const place = after.passed - low;
  const change = after.passed * before.measured - before.passed * after.measured;
  const part = change < 0 ? chances.subarray(0, place + 1) : chances.subarray(place);
  return change === 0 ? 1 : part.reduce((sum, chance) => sum + chance, 0);
}
