import { expect, test } from 'vitest';
import type { PairKind, TestChange } from '../../src/base/model/comparison.ts';
import { pairHeadline } from './pair-headline.ts';

const name = { file: 'a.yaml', test: 't', target: 'x' };
const others = { ...name, target: 'y', kind: 'fix' as const };

function headline(kind: PairKind, change?: Partial<TestChange>): unknown {
  const changes = change === undefined ? [] : [{ ...name, line: 1, kind, ...change } as TestChange];
  return pairHeadline({ test_pairs: [others, { ...name, kind }], changes }, name);
}

test('one test in two runs, in the words of the command', () => {
  const once = (verdict: 'passed' | 'failed', score: number) => ({ verdict, score, passed: 0, measured: 1 });
  expect(headline('new_failure', { before: once('passed', 1), after: once('failed', 0.25) })).toEqual({
    outcome: 'failed',
    sentence: 'New failure: passed → failed, score 1 → 0.25',
  });
  const often = (passed: number) => ({ verdict: 'passed' as const, passed, measured: 5 });
  expect(headline('flip', { before: often(5), after: often(3), p_value: 0.444 })).toEqual({
    outcome: undefined,
    sentence: 'Same verdict, but repeats differ: 5/5 → 3/5 passed (p = 0.444)',
  });
  expect(headline('same')).toMatchObject({ sentence: expect.stringContaining('No change') });
  expect(headline('only_after')).toMatchObject({ sentence: 'Only in the second run' });
  expect(pairHeadline({ test_pairs: [others], changes: [] }, name)).toBeUndefined();
});
