import type { CountedTests } from './pass-counts.ts';

/** A number averaged over tests: every test counts the same, no matter how often it was repeated. */
export interface MeanOverTests {
  readonly value: number;
  /** How many tests have the number. */
  readonly tests: number;
  /** How much the value would vary with other tests of the same kind; absent for fewer than two tests. */
  readonly standard_error?: number | undefined;
}

/**
 * The mean over tests and its standard error, from the variance between tests: `sqrt(sum (x - mean)^2 / (T (T -
 * 1)))`. Repeats of one test are not independent: they make its own number more precise, but are not data points of
 * their own. Tests with an undefined number are left out; without any there is no mean.
 */
export function meanOverTests(
  groups: readonly CountedTests[],
  numberOf: (counts: CountedTests) => number | undefined,
): MeanOverTests | undefined {
  const values = groups.flatMap((group) => {
    const value = numberOf(group);
    return value === undefined ? [] : [{ value, tests: group.tests }];
  });
  const tests = sum(values, (group) => group.tests);
  if (tests === 0) return undefined;
  const value = sum(values, (group) => group.tests * group.value) / tests;
  if (tests === 1) return { value, tests };
  const squares = sum(values, (group) => group.tests * (group.value - value) ** 2);
  return { value, tests, standard_error: Math.sqrt(squares / (tests * (tests - 1))) };
}

function sum<T>(items: readonly T[], numberOf: (item: T) => number): number {
  return items.reduce((total, item) => total + numberOf(item), 0);
}
