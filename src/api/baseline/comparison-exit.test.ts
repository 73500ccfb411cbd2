import { expect, test } from 'vitest';
import type { BaselineOutcome } from '../../base/model/baseline-outcome.ts';
import type { Comparison } from '../../base/model/comparison.ts';
import { comparisonExit, withBaselines, type RunExtent } from './comparison-exit.ts';

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

const outcome = (is: BaselineOutcome['outcome']): BaselineOutcome => ({
  baseline: 'b',
  outcome: is,
  message: '',
  new_failures: 0,
  fixed: 0,
});

test.each<[number, readonly BaselineOutcome['outcome'][], number]>([
  [0, ['held'], 0],
  [0, ['broken'], 1],
  [0, ['undecided'], 3],
  [1, ['held'], 1],
  [3, ['broken'], 1],
  [3, ['held'], 3],
  [2, ['broken'], 2],
  [130, ['broken'], 130],
  [42, ['held'], 0],
  [0, ['held', 'undecided', 'broken'], 1],
  [0, ['held', 'undecided'], 3],
  [1, [], 1],
])('exit code %d with baselines %j becomes %d', (own, baselines, code) => {
  expect(withBaselines(own, baselines.map(outcome))).toBe(code);
});

test('a run without a comparison keeps its exit code', () => {
  expect(withBaselines(1)).toBe(1);
});
