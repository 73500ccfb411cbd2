import * as fc from '../../../test/seeded-fast-check.ts';
import { describe, expect, test } from 'vitest';
import { isClose, oracle } from '../../../test/stats/oracle.ts';
import { createRandom } from '../../../test/stats/random.ts';
import { clusteredError } from './clustered-error.ts';
import { meanOverTests } from './mean-over-tests.ts';
import { passAtK, passHatK } from './pass-at-k.ts';
import type { CountedTests } from './pass-counts.ts';

interface Mean {
  readonly value: number;
  readonly tests: number;
  readonly standard_error?: number;
}

interface Case {
  readonly name: string;
  readonly tests: readonly (readonly number[])[];
  readonly clustered_error: number | null;
  readonly pass_at_k: readonly (Mean | null)[];
  readonly pass_hat_k: readonly (Mean | null)[];
}

describe.each(oracle<readonly Case[]>('clustered-error'))('$name', (wanted) => {
  const groups = wanted.tests.map((attempts) => ({
    passed: attempts.filter((attempt) => attempt === 1).length,
    measured: attempts.length,
    tests: 1,
  }));

  test('the clustered error agrees with the oracle', () => {
    expectClose(clusteredError(groups), wanted.clustered_error ?? undefined);
  });

  test.each([
    ['pass_at_k', passAtK],
    ['pass_hat_k', passHatK],
  ] as const)('%s and its error agree with the oracle', (name, estimate) => {
    for (const [index, mean] of wanted[name].entries()) {
      const actual = meanOverTests(groups, (counts) => estimate(counts, index + 1));
      expectClose(actual?.value, mean?.value);
      expectClose(actual?.standard_error, mean?.standard_error);
      expect(actual?.tests).toBe(mean?.tests);
    }
  });
});

const group = fc.integer({ min: 1, max: 10 }).chain((measured) =>
  fc.record({
    measured: fc.constant(measured),
    passed: fc.integer({ min: 0, max: measured }),
    tests: fc.integer({ min: 1, max: 5 }),
  }),
);
const groups = fc.array(group, { minLength: 2, maxLength: 12 });

test('a count of equal tests is the same as listing them', () => {
  fc.assert(
    fc.property(groups, (counted) => {
      const single = counted.flatMap(({ tests, ...counts }) =>
        Array.from({ length: tests }, () => ({ ...counts, tests: 1 })),
      );
      return isClose(clusteredError(counted)!, clusteredError(single)!);
    }),
  );
});

test('with equal repeats it is the error of the mean over tests', () => {
  fc.assert(
    fc.property(groups, fc.integer({ min: 1, max: 10 }), (counted, measured) => {
      const equal = counted.map(({ passed, tests }) => ({
        passed: Math.min(passed, measured),
        measured,
        tests,
      }));
      const mean = meanOverTests(equal, (counts) => counts.passed / counts.measured);
      return isClose(clusteredError(equal)!, mean!.standard_error!);
    }),
  );
});

test('passes and failures are symmetric', () => {
  fc.assert(
    fc.property(groups, (counted) => {
      const turned = counted.map((each) => ({ ...each, passed: each.measured - each.passed }));
      return isClose(clusteredError(counted)!, clusteredError(turned)!);
    }),
  );
});

test('repeating every attempt does not make the estimate for other tests surer', () => {
  fc.assert(
    fc.property(groups, fc.integer({ min: 2, max: 5 }), (counted, times) => {
      const copied: CountedTests[] = counted.map((each) => ({
        ...each,
        passed: each.passed * times,
        measured: each.measured * times,
      }));
      return isClose(clusteredError(copied)!, clusteredError(counted)!);
    }),
  );
});

test('1.96 errors cover the true rate in 95% of suites; an error for independent attempts covers it in far fewer', () => {
  const random = createRandom(7);
  const suites = 3000;
  let clustered = 0;
  let naive = 0;
  for (let suite = 0; suite < suites; suite++) {
    // Tests are easy or hard: their rates are even over 0..1, and 0.5 on average.
    const counted = Array.from({ length: 40 }, () => {
      const rate = random();
      const passed = Array.from({ length: 8 }, () => random() < rate).filter(Boolean).length;
      return { passed, measured: 8, tests: 1 };
    });
    const rate = counted.reduce((sum, { passed }) => sum + passed, 0) / (40 * 8);
    if (Math.abs(rate - 0.5) <= 1.96 * clusteredError(counted)!) clustered++;
    if (Math.abs(rate - 0.5) <= 1.96 * Math.sqrt((rate * (1 - rate)) / (40 * 8))) naive++;
  }
  expect(clustered / suites).toBeGreaterThan(0.93);
  expect(clustered / suites).toBeLessThan(0.96);
  expect(naive / suites).toBeLessThan(0.8);
});

function expectClose(actual: number | undefined, wanted: number | undefined): void {
  if (actual === undefined || wanted === undefined) expect(actual).toBe(wanted);
  else expect(isClose(actual, wanted), `${actual} is not ${wanted}`).toBe(true);
}
