import { expect, test } from 'vitest';
import type { Comparison } from '../../src/base/model/comparison.ts';
import { compareHeadline } from './compare-headline.ts';

function comparison(new_failures: number, { found = false, pairs = 20, fixes = 0 } = {}): Comparison {
  const regression = { rule: 'regression', found, whole: false, tests: [] };
  return {
    pairs,
    unit: 'attempt',
    alpha: 0.05,
    tests: { new_failures, fixes },
    verdicts: { new_failures, fixes },
    regression,
  } as unknown as Comparison;
}

test.each([
  [comparison(0, { pairs: 0 }), 'error', 'Nothing could be compared: no attempt was measured in both.'],
  [comparison(3, { found: true, fixes: 1 }), 'failed', '3 new failures, 1 fix among 20 paired attempts.'],
  [comparison(1, { fixes: 2 }), undefined, '1 new failure, 2 fixes among 20 paired attempts.'],
  [comparison(0, { fixes: 2 }), 'passed', '2 fixes among 20 paired attempts.'],
  [comparison(0), 'passed', 'No verdict changed among 20 paired attempts.'],
])(
  'a comparison has the sentence of the command, and no sign where chance may explain it %#',
  (facts, outcome, sentence) => {
    expect(compareHeadline(facts)).toEqual({ outcome, sentence });
  },
);
