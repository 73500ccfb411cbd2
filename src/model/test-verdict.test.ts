import { expect, test } from 'vitest';
import { testVerdict } from './test-verdict.ts';

const counts = (passed: number, failed = 0, error = 0, skipped = 0) => ({ passed, failed, error, skipped });

test('without a gate every repeat must pass', () => {
  expect(testVerdict(counts(9, 1))).toBe('failed');
  expect(testVerdict(counts(9, 0, 1))).toBe('error');
  expect(testVerdict(counts(10))).toBe('passed');
  expect(testVerdict(counts(0, 0, 0, 2))).toBe('skipped');
});

test('with one, so many of those that were measured, if enough were', () => {
  expect(testVerdict(counts(8, 2), '8/10')).toBe('passed');
  expect(testVerdict(counts(7, 3), 0.8)).toBe('failed');
  expect(testVerdict(counts(9, 0, 1), '8/10')).toBe('passed');
  expect(testVerdict(counts(8, 0, 2), '8/10')).toBe('error');
  expect(testVerdict(counts(0, 0, 2), 0.5)).toBe('error');
  expect(testVerdict(counts(0, 0, 0, 2), 0.5)).toBe('skipped');
});

test('what is no gate, in a record from elsewhere, is none', () => {
  expect(testVerdict(counts(9, 1), 'often')).toBe('failed');
});
