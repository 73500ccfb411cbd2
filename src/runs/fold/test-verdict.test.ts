import { expect, test } from 'vitest';
import { DEFAULT_GATE_RULES, type GateRules } from '../../base/model/gate.ts';
import type { PassAtLeast } from '../../base/model/pass-at-least.ts';
import { testVerdict, type AttemptCounts } from './test-verdict.ts';

const verdictOf = (
  counts: Partial<AttemptCounts>,
  passAtLeast?: PassAtLeast,
  rules: GateRules = DEFAULT_GATE_RULES,
): string =>
  testVerdict({ passed: 0, failed: 0, error: 0, skipped: 0, ...counts, passAtLeast }, rules).verdict;

test('without a gate every repeat must pass', () => {
  expect(verdictOf({ passed: 9, failed: 1 })).toBe('failed');
  expect(verdictOf({ passed: 9, error: 1 })).toBe('error');
  expect(verdictOf({ passed: 10 })).toBe('passed');
  expect(verdictOf({ passed: 9, notStarted: 1 })).toBe('error');
  expect(verdictOf({ skipped: 2 })).toBe('skipped');
  expect(verdictOf({ skipped: 1, notStarted: 1 })).toBe('error');
  expect(verdictOf({ skipped: 1, error: 1, notStarted: 1 })).toBe('error');
});

test('with a gate, enough of the measured attempts must pass, if enough were measured', () => {
  expect(verdictOf({ passed: 8, failed: 2 }, '8/10')).toBe('passed');
  expect(verdictOf({ passed: 7, failed: 3 }, 0.8)).toBe('failed');
  expect(verdictOf({ passed: 9, error: 1 }, '8/10')).toBe('passed');
  expect(verdictOf({ passed: 8, error: 2 }, '8/10')).toBe('error');
  expect(verdictOf({ passed: 8, error: 2 }, '8/10', { min_coverage: 0.8 })).toBe('passed');
  expect(verdictOf({ passed: 8, notStarted: 2 }, 0.5)).toBe('error');
  expect(verdictOf({ error: 2 }, 0.5)).toBe('error');
  expect(verdictOf({ skipped: 2 }, 0.5)).toBe('skipped');
});

test('with adaptive repeats the sequential gate decides', () => {
  const rules = { min_coverage: 0.9, adaptive: { confidence: 0.95, max_repeats: 50, pass_at_least: 0.8 } };
  expect(verdictOf({ passed: 30, failed: 1 }, undefined, rules)).toBe('passed');
  expect(verdictOf({ passed: 3, failed: 1 }, undefined, rules)).toBe('error');
  expect(verdictOf({ failed: 12 }, undefined, rules)).toBe('failed');
  // How many there would have been is not known, so that none of them is missing.
  expect(verdictOf({ passed: 30, failed: 1, notStarted: 10 }, undefined, rules)).toBe('passed');
  expect(verdictOf({ passed: 30, failed: 1, error: 10 }, undefined, rules)).toBe('error');
});

test('a gate that cannot be read in a record from elsewhere is ignored', () => {
  expect(verdictOf({ passed: 9, failed: 1 }, 'often')).toBe('failed');
});

test('a test is flaky when attempts disagree, whatever its gate says', () => {
  const counts = { passed: 9, failed: 1, error: 0, skipped: 0, passAtLeast: 0.5 };
  expect(testVerdict(counts, DEFAULT_GATE_RULES)).toMatchObject({ verdict: 'passed', isFlaky: true });
  expect(testVerdict({ ...counts, failed: 0 }, DEFAULT_GATE_RULES).isFlaky).toBe(false);
});

test('a gate shows the requirement as its author wrote it, or why it is undecided', () => {
  const messageOf = (
    counts: Partial<AttemptCounts>,
    passAtLeast: PassAtLeast,
    rules: GateRules = DEFAULT_GATE_RULES,
  ) =>
    testVerdict({ passed: 0, failed: 0, error: 0, skipped: 0, ...counts, passAtLeast }, rules).gate?.message;
  expect(messageOf({ passed: 8, failed: 2 }, '8/10')).toMatch(/8 of 10, 8\/10 /);
  expect(messageOf({ passed: 8, failed: 2 }, 0.8)).toMatch(/8 of 10, 80% /);
  expect(messageOf({ passed: 1, error: 2 }, 0.8)).toMatch(/1 of 3 /);
  expect(messageOf({ notStarted: 2 }, 0.8, { min_coverage: 0 })).toMatch(/0 of 2 /);
  const adaptive = { confidence: 0.95, max_repeats: 50, pass_at_least: 0.8 };
  expect(messageOf({ notStarted: 2 }, 0.8, { min_coverage: 0.9, adaptive })).toMatch(/no attempt/);
  expect(messageOf({ passed: 30 }, 0.8, { min_coverage: 0.9, adaptive })).toMatch(
    /30 of 30: 80% or more .*95%/,
  );
  expect(messageOf({ failed: 30 }, 0.8, { min_coverage: 0.9, adaptive })).toMatch(/0 of 30: less than 80%/);
  expect(messageOf({ passed: 3, failed: 1 }, 0.8, { min_coverage: 0.9, adaptive })).toMatch(
    /3 of 4: not enough .*80%/,
  );
  expect(messageOf({ passed: 3 }, 1, { min_coverage: 0.9, adaptive })).toMatch(/always/);
  expect(messageOf({ passed: 3 }, 0.99, { min_coverage: 0.9, adaptive })).toMatch(
    /it takes \d+ attempts .*99%/,
  );
  expect(messageOf({ passed: 40, failed: 10 }, 0.8, { min_coverage: 0.9, adaptive })).toMatch(
    /too close to 80% .* 50 /,
  );
});
