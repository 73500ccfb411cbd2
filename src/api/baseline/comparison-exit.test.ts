import { expect, test } from 'vitest';
import type { Comparison } from '../../model/comparison.ts';
import { comparisonExit, withComparison, type RunExtent } from './comparison-exit.ts';

const WHOLE: RunExtent = { interrupted: false, not_started: 0 };

const compared = (found: boolean, pairs = 5, lost: readonly string[] = []): Comparison =>
  ({ pairs, lost_tests: lost, regression: { found } }) as unknown as Comparison;

test.each<[string, Comparison, RunExtent, number]>([
  ['nothing got worse', compared(false), WHOLE, 0],
  ['it got worse', compared(true), WHOLE, 1],
  ['it got worse in a part of the run', compared(true), undefined, 1],
  ['nothing was compared', compared(false, 0), WHOLE, 3],
  ['a test was lost', compared(false, 5, ['t']), WHOLE, 3],
  ['the run was interrupted', compared(false), { interrupted: true, not_started: 0 }, 3],
  ['an attempt was not started', compared(false), { interrupted: false, not_started: 1 }, 3],
  ['the run did not end', compared(false), undefined, 3],
])('%s', (_, comparison, extent, code) => {
  expect(comparisonExit(comparison, extent)).toBe(code);
});

test.each([
  [0, false, 0],
  [0, true, 1],
  [1, false, 1],
  [3, true, 1],
  [3, false, 3],
  [2, true, 2],
  [130, true, 130],
  [42, false, 0],
])('a run of exit code %d that got worse (%s) ends with %d', (own, found, code) => {
  expect(withComparison(own, compared(found), WHOLE)).toBe(code);
});

test('a run that was compared with nothing ends as it did', () => {
  expect(withComparison(1, undefined, WHOLE)).toBe(1);
  expect(withComparison(0, compared(false), undefined)).toBe(3);
});
