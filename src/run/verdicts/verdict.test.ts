import { describe, expect, test } from 'vitest';
import { doesHold, judge, type GradedAssertion } from './verdict.ts';

const base = {
  kind: 'x',
  name: 'x',
  weight: 1,
  required: false,
  message: '',
  file: 'a',
  line: 1,
  column: 1,
} as const;
const claim = (passed: boolean): GradedAssertion => ({
  ...base,
  form: 'claim',
  passed,
  score: passed ? 1 : 0,
});
const evaluator = (score: number, more: Partial<GradedAssertion> = {}): GradedAssertion => ({
  ...base,
  form: 'evaluator',
  score,
  passed: doesHold({ form: 'evaluator', required: more.required ?? false }, score, 0.8),
  ...more,
});
const broken = (more: Partial<GradedAssertion> = {}): GradedAssertion => ({
  ...base,
  form: 'evaluator',
  error: { kind: 'judge', message: 'down' },
  ...more,
});
const verdict = (...groups: readonly GradedAssertion[][]) => judge(groups, { threshold: 0.8 });

describe('claims', () => {
  test('all must hold; the score is the share that held', () => {
    expect(verdict([claim(true), claim(true)])).toEqual({ verdict: 'passed', score: 1 });
    expect(verdict([claim(true), claim(false)])).toEqual({ verdict: 'failed', score: 0.5 });
  });
});

describe('evaluators', () => {
  test('the weighted mean must reach the threshold; an equal mean passes', () => {
    expect(verdict([evaluator(1, { weight: 4 }), evaluator(0)])).toMatchObject({ verdict: 'passed' });
    expect(verdict([evaluator(1, { weight: 3 }), evaluator(0)])).toMatchObject({ verdict: 'failed' });
    expect(verdict([evaluator(0.8), evaluator(0.7), evaluator(0.9)])).toMatchObject({ verdict: 'passed' });
  });

  test('one that yields is an error by itself, and hides no failure of another', () => {
    const own = broken({ yields: true });
    const all = (...group: readonly GradedAssertion[]) => judge([group], { threshold: 1 }).verdict;
    expect(all(own)).toBe('error');
    expect(all(own, evaluator(1))).toBe('error');
    expect(all(own, evaluator(0))).toBe('failed');
    expect(all(own, claim(false))).toBe('failed');
    expect(all(own, evaluator(0), broken())).toBe('error');
    expect(judge([[own, evaluator(0)]], { threshold: 0.5 }).verdict).toBe('error');
    expect(judge([[own, evaluator(0, { weight: 2 })]], { threshold: 0.5 }).verdict).toBe('failed');
    expect(all(broken({ yields: true, weight: 0 }), evaluator(1))).toBe('passed');
  });

  test('a required one fails the test if it is below the threshold or below its own minimum', () => {
    expect(verdict([evaluator(1, { weight: 9 }), evaluator(0.5, { required: true })])).toMatchObject({
      verdict: 'failed',
    });
    expect(verdict([evaluator(1, { weight: 9 }), evaluator(0.85, { required: 0.9 })])).toMatchObject({
      verdict: 'failed',
    });
    expect(verdict([evaluator(1, { weight: 9 }), evaluator(0.5, { required: 0.5 })])).toMatchObject({
      verdict: 'passed',
    });
  });

  test("rounding never makes an evaluator's result contradict its test's verdict", () => {
    const mean = (0.7 + 0.8 + 0.9) / 3;
    expect(mean).toBeLessThan(0.8);
    const required = evaluator(mean, { required: true });
    expect(required.passed).toBe(true);
    expect(verdict([required])).toMatchObject({ verdict: 'passed' });
    expect(doesHold({ form: 'evaluator', required: 0.9 }, 0.9, 0.8)).toBe(true);
    expect(doesHold({ form: 'evaluator', required: 0.9 }, 0.85, 0.8)).toBe(false);
    expect(doesHold({ form: 'evaluator', required: false }, 0.8, 0.8)).toBe(true);
    expect(doesHold({ form: 'claim', required: false }, 0.99, 0.8)).toBe(false);
  });

  test('weight 0 never changes the verdict; all weights 0 score 0', () => {
    expect(verdict([evaluator(1), evaluator(0, { weight: 0, required: true })])).toEqual({
      verdict: 'passed',
      score: 1,
    });
    expect(verdict([evaluator(1), broken({ weight: 0 })])).toMatchObject({ verdict: 'passed' });
    expect(verdict([evaluator(1, { weight: 0 })])).toEqual({ verdict: 'failed', score: 0 });
  });
});

describe('groups', () => {
  test('every group must pass, the score is their mean, and groups without checks do not count', () => {
    expect(verdict([claim(true)], [evaluator(0.9)], [])).toMatchObject({ verdict: 'passed', score: 0.95 });
    expect(verdict([claim(true)], [evaluator(0.5)])).toMatchObject({ verdict: 'failed', score: 0.75 });
  });

  test('what could not be measured is an error, even next to a failed claim', () => {
    expect(verdict([claim(false)], [broken()])).toEqual({
      verdict: 'error',
      error: { kind: 'judge', message: 'down' },
    });
    const error = { kind: 'timeout', message: 'late' } as const;
    expect(judge([[claim(false)]], { threshold: 0.8, error })).toEqual({ verdict: 'error', error });
  });
});
