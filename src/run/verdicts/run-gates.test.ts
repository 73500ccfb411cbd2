import { expect, test } from 'vitest';
import type { GateResult, GateRules, TestGate } from '../../base/model/gate.ts';
import { runGates, type GateFacts } from './run-gates.ts';

function gateOf(rules: Partial<GateRules>, facts: Partial<GateFacts> = {}): GateResult | undefined {
  const gates = runGates(
    { min_coverage: 0.9, ...rules },
    {
      passRate: undefined,
      planned: 0,
      flaky: 0,
      repeated: 0,
      notStarted: 0,
      testGates: [],
      interrupted: false,
      ...facts,
    },
  );
  expect(gates.length).toBeLessThan(2);
  return gates[0];
}

function rate(passed: number, measured: number) {
  return { passRate: { passed, measured, rate: passed / measured, low: 0, high: 1 }, planned: measured };
}

test('a run without rules has no gates', () => {
  expect(gateOf({}, rate(0, 3))).toBeUndefined();
});

test('the gate holds if the pass rate is exactly the required one', () => {
  expect(gateOf({ min_pass_rate: 0.8 }, rate(8, 10))).toMatchObject({
    gate: 'min_pass_rate',
    wanted: 0.8,
    actual: 0.8,
    outcome: 'held',
    message: expect.stringMatching(/80%.*8 of 10.*80%/),
  });
  expect(gateOf({ min_pass_rate: 0.8 }, rate(7, 10))).toMatchObject({ actual: 0.7, outcome: 'broken' });
  expect(gateOf({ min_pass_rate: 0 }, rate(0, 1))?.outcome).toBe('held');
});

test('with adaptive repeats, the pass rate is the gate of each test', () => {
  const adaptive = { confidence: 0.95, max_repeats: 50, pass_at_least: 0.8 };
  expect(gateOf({ min_pass_rate: 0.8, adaptive }, rate(1, 10))).toBeUndefined();
});

test('the pass rate of too few attempts, of none, or of an interrupted run decides nothing', () => {
  const rules = { min_pass_rate: 0.5 };
  expect(gateOf(rules, { ...rate(9, 9), planned: 10 })?.outcome).toBe('held');
  expect(gateOf(rules, { ...rate(8, 8), planned: 10 })).toMatchObject({
    outcome: 'undecided',
    actual: 1,
    message: expect.stringMatching(/8 of 10.*90%/),
  });
  expect(gateOf({ ...rules, min_coverage: 0.8 }, { ...rate(8, 8), planned: 10 })?.outcome).toBe('held');
  expect(gateOf(rules, { ...rate(10, 10), interrupted: true })).toMatchObject({
    outcome: 'undecided',
    message: expect.stringContaining('interrupted'),
  });
  // A run of skipped tests only plans nothing, and lacks nothing.
  expect(gateOf(rules)).toMatchObject({ outcome: 'undecided', message: expect.stringContaining('nothing') });
  expect(gateOf(rules, { planned: 3 })).toMatchObject({
    outcome: 'undecided',
    message: expect.stringMatching(/0 of 3/),
  });
});

test.each([
  // wanted, flaky, repeated, outcome, actual, limit in the message
  [0, 0, 4, 'held', 0, '0'],
  [0, 1, 4, 'broken', 1, '0'],
  [1, 1, 4, 'held', 1, '1'],
  [1, 2, 4, 'broken', 2, '1'],
  [0.25, 1, 4, 'held', 0.25, '25%'],
  [0.25, 2, 4, 'broken', 0.5, '25%'],
])('with at most %d flaky tests allowed, %d of %d: %s', (wanted, flaky, repeated, outcome, actual, limit) => {
  const gate = gateOf({ max_flaky: wanted }, { ...rate(8, 8), flaky, repeated });
  expect(gate).toMatchObject({ gate: 'max_flaky', wanted, actual, outcome });
  expect(gate?.message).toMatch(new RegExp(`${flaky} of ${repeated} .*most ${limit} \\w+`));
});

test('flaky tests cannot be seen without repeats, or with too few measured attempts', () => {
  expect(gateOf({ max_flaky: 0 }, { ...rate(8, 8), repeated: 0 })).toMatchObject({
    outcome: 'undecided',
    message: expect.stringContaining('--repeats'),
  });
  expect(gateOf({ max_flaky: 0.5 }, { ...rate(8, 8), planned: 20, flaky: 1, repeated: 4 })).toMatchObject({
    outcome: 'undecided',
    actual: 0.25,
    message: expect.stringMatching(/8 of 20/),
  });
});

test("a broken gate of a test breaks the run's gate, and an undecided one leaves it undecided", () => {
  const gates = (...outcomes: readonly TestGate['outcome'][]) => ({
    testGates: outcomes.map((outcome) => ({ pass_at_least: 0.5, outcome, message: '' })),
  });
  expect(gateOf({}, gates('held', 'held'))).toMatchObject({
    gate: 'pass_at_least',
    wanted: 2,
    actual: 2,
    outcome: 'held',
    message: expect.stringMatching(/^2 of 2 [^,]*$/),
  });
  const broken = gateOf({}, gates('held', 'broken', 'undecided'));
  expect(broken).toMatchObject({ wanted: 3, actual: 1, outcome: 'broken' });
  expect(broken?.message).toMatch(/1 of 3 .*, 1 does not, 1 is inconclusive$/);
  const open = gateOf({}, gates('undecided', 'held', 'undecided'));
  expect(open).toMatchObject({ wanted: 3, actual: 1, outcome: 'undecided' });
  expect(open?.message).toMatch(/1 of 3 [^,]*, 2 are inconclusive$/);
  expect(gateOf({}, gates('held', 'undecided'))?.outcome).toBe('undecided');
  expect(gateOf({}, gates('broken', 'broken'))?.message).toMatch(/0 of 2 [^,]*, 2 do not$/);
});

test('a spent budget is a gate only if it kept an attempt from starting', () => {
  const budget = { limit: 0.5, spent: 0.75, isSpent: true };
  expect(gateOf({}, { budget, notStarted: 1 })).toMatchObject({
    gate: 'max_cost',
    wanted: 0.5,
    actual: 0.75,
    outcome: 'undecided',
    message: expect.stringMatching(/\$0\.75 of \$0\.50 .*1 attempt was/),
  });
  expect(gateOf({}, { budget, notStarted: 2 })?.message).toMatch(/2 attempts were/);
  expect(gateOf({}, { budget, notStarted: 0 })).toBeUndefined();
  expect(gateOf({}, { budget: { ...budget, isSpent: false }, notStarted: 1 })).toBeUndefined();
});
