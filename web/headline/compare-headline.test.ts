import { expect, test } from 'vitest';
import type { Comparison } from '../../src/model/comparison.ts';
import { compareHeadline } from './compare-headline.ts';

function comparison(
  tests: Partial<Comparison['tests']>,
  { found = false, whole = false, value = 0, pairs = 20 } = {},
): Comparison {
  const counts = { compared: 20, new_failures: 0, fixes: 0, flips: 0, scores: 0, edited: 0, ...tests };
  const regression = { rule: 'regression', found, whole, tests: [{ id: 'a', because: 'drop' }] };
  const verdicts = { new_failures: 0, fixes: 0, difference: { value, low: -1, high: 1 } };
  return { pairs, tests: counts, verdicts, regression } as unknown as Comparison;
}

test.each([
  [comparison({}, { pairs: 0 }), 'error', 'Nothing to compare: no test was measured in both runs'],
  [
    comparison({ new_failures: 3, fixes: 1 }, { found: true, whole: true, value: -0.12 }),
    'failed',
    'Worse: 3 new failures, 1 fixed in 20 tests; the pass rate fell by 12 points, more than chance explains',
  ],
  [
    comparison({}, { found: true, value: -0.01 }),
    'failed',
    'Worse: 1 test got worse; the pass rate fell by 1 point',
  ],
  [
    comparison({ new_failures: 1, fixes: 2 }, { value: 0.05 }),
    undefined,
    'No regression: 1 new failure, 2 fixed in 20 tests; the pass rate rose by 5 points, which chance may explain',
  ],
  [comparison({ fixes: 2 }), 'passed', 'Better: 2 fixed in 20 tests, none broken'],
  [comparison({ flips: 2 }), 'passed', 'No change: all 20 tests have the same verdict; repeats of 2 differ'],
])('a comparison in one sentence %#', (facts, outcome, sentence) => {
  expect(compareHeadline(facts)).toEqual({ outcome, sentence });
});
