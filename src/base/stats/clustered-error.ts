import type { CountedTests } from './pass-counts.ts';

/**
 * The standard error of the share of all attempts that passed, r = sum c / sum n, clustered by test: `sqrt(T / (T -
 * 1) * sum (c - r n)^2) / sum n` over the T tests that were measured. With equally many repeats of every test it is
 * the standard error of the mean over tests; otherwise a test counts by its attempts, as it does in r. Undefined
 * for fewer than two tests: one test says nothing about others.
 */
export function clusteredError(groups: readonly CountedTests[]): number | undefined {
  let tests = 0;
  let passed = 0;
  let measured = 0;
  for (const group of groups) {
    if (group.measured === 0) continue;
    tests += group.tests;
    passed += group.tests * group.passed;
    measured += group.tests * group.measured;
  }
  if (tests < 2) return undefined;
  const rate = passed / measured;
  let squares = 0;
  for (const group of groups) squares += group.tests * (group.passed - rate * group.measured) ** 2;
  return Math.sqrt((tests / (tests - 1)) * squares) / measured;
}
