import { expect, test } from 'vitest';
import type { HistoryPoint, ResultRow } from '../../src/base/model/page-data.ts';
import type { AssertionRecord, AttemptRecord, Verdict } from '../../src/base/model/record.ts';
import { changeWords, testHeadline } from './test-headline.ts';

const claim = (passed: boolean | undefined) =>
  ({ passed, name: 'contains', kind: 'contains', message: 'no "30 days"' }) as AssertionRecord;

function record(verdict: Verdict, more: Partial<AttemptRecord> = {}): AttemptRecord {
  return { verdict, repeat: 2, steps: [], assertions: [], ...more } as unknown as AttemptRecord;
}

function repeats(verdict: Verdict, verdicts: readonly Verdict[], pass_at_least?: ResultRow['pass_at_least']) {
  return {
    verdict,
    isFlaky: false,
    attempts: verdicts.map((one) => ({ verdict: one, pass_at_least }) as ResultRow),
  };
}

test.each([
  [
    record('failed', { assertions: [claim(true), claim(false)] }),
    undefined,
    'Failed: contains: no "30 days"',
  ],
  [record('passed', { assertions: [claim(true)] }), undefined, 'Passed: 1 of 1 assertion'],
  [record('passed', { assertions: [claim(true), claim(true)] }), undefined, 'Passed: 2 of 2 assertions'],
  [
    record('failed', { assertions: [claim(true)], score: 0.7 }),
    undefined,
    'Failed: score: every assertion passes, but the score 0.70 is below the threshold',
  ],
  [record('passed'), undefined, 'Passed: no assertions'],
  [record('error', { error: { kind: 'agent', message: 'boom\n  at x' } }), undefined, 'Error: boom'],
  [record('error', { assertions: [claim(undefined)] }), undefined, 'Error: contains: no "30 days"'],
  [
    record('passed', {
      assertions: [claim(true), { ...claim(false), form: 'evaluator', score: 0, weight: 1 }],
      score: 0.9,
      threshold: 0.8,
    }),
    undefined,
    'Passed: score 0.9, threshold 0.8, although contains scored 0',
  ],
  [record('skipped', { skip_reason: 'not now' }), undefined, 'Skipped: not now'],
  [
    record('failed', { assertions: [claim(false)] }),
    repeats('failed', ['passed', 'failed', 'passed']),
    'Failed: 2 of 3 repeats passed, all must pass; repeat 2: contains: no "30 days"',
  ],
  [
    record('failed', { assertions: [claim(false)] }),
    repeats('passed', ['passed', 'failed', 'passed'], 0.6),
    'Passed: 2 of 3 repeats passed, 60% required; repeat 2: contains: no "30 days"',
  ],
])('a test in one sentence %#', (attempt, facts, sentence) => {
  expect(testHeadline(attempt, facts).sentence).toBe(sentence);
});

test('a headline says whether a verdict is new, fixed or old', () => {
  const now = new Date(2026, 10, 16, 9).getTime();
  const points = [1, 0, 0, 1, 0.5, undefined, 0].map((rate, index) => ({
    run_id: String(index),
    started_at: new Date(2026, 10, 10 + index, 9).toISOString(),
    pass_rate: rate === undefined ? undefined : { passed: rate, measured: 1, rate, low: 0, high: 1 },
  })) as readonly unknown[] as readonly HistoryPoint[];
  const words = (run: string, verdict: Verdict) => changeWords(points, { runId: run, verdict, now });
  expect(words('0', 'failed')).toBeUndefined();
  expect(words('1', 'failed')).toBe('new since Tuesday');
  expect(words('2', 'failed')).toBe('as in the run before');
  expect(words('3', 'passed')).toBe('fixed since Thursday');
  expect(words('3', 'failed')).toBe('as in the 2 runs before');
  expect(words('6', 'failed')).toBe('as in the run before');
  expect(words('1', 'passed')).toBeUndefined();
  expect(words('gone', 'failed')).toBeUndefined();
});
