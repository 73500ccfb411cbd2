import { expect, test } from 'vitest';
import type { GateResult } from '../../base/model/gate.ts';
import type { Summary } from '../../base/model/summary.ts';
import { exitCodeOf } from './exit-code.ts';

type Counts = Partial<
  Pick<Summary, 'tests' | 'passed' | 'failed' | 'error' | 'skipped' | 'not_started' | 'interrupted'>
>;
const gate = (name: GateResult['gate'], outcome: GateResult['outcome']): GateResult => ({
  gate: name,
  wanted: 0.5,
  outcome,
  message: '',
});

interface More {
  readonly gates?: readonly GateResult[];
  readonly hasErrors?: boolean;
  readonly errors?: Summary['errors'];
}

function exitCode(counts: Counts, more: More = {}): number {
  const none = { tests: 4, passed: 0, failed: 0, error: 0, skipped: 0, not_started: 0, interrupted: false };
  const summary = {
    ...none,
    ...counts,
    errors: more.errors ?? {},
    gates: more.gates ?? [],
  } as unknown as Summary;
  return exitCodeOf({ summary, hasErrors: more.hasErrors ?? false, passWithNoTests: false });
}

test('a failed test gives 1, even next to an error; an error alone gives 3', () => {
  expect(exitCode({ passed: 4 })).toBe(0);
  expect(exitCode({ passed: 3, failed: 1 })).toBe(1);
  expect(exitCode({ passed: 2, failed: 1, error: 1 })).toBe(1);
  expect(exitCode({ passed: 3, error: 1 })).toBe(3);
  expect(exitCode({ passed: 3, not_started: 1 })).toBe(3);
});

test('an invalid file or an empty run gives 2, whatever the verdicts; an interruption overrides everything', () => {
  expect(exitCode({ passed: 3, failed: 1 }, { hasErrors: true })).toBe(2);
  expect(exitCode({ skipped: 4 })).toBe(2);
  expect(exitCode({ tests: 0 })).toBe(2);
  expect(exitCode({ tests: 0, not_started: 1 })).toBe(3);
  expect(exitCode({ failed: 1, interrupted: true }, { hasErrors: true })).toBe(130);
});

test('a broken gate gives 1 and an undecided gate 3, even if every test passed', () => {
  const all = { passed: 4 };
  expect(exitCode(all, { gates: [gate('max_flaky', 'broken')] })).toBe(1);
  expect(exitCode(all, { gates: [gate('max_flaky', 'undecided')] })).toBe(3);
  expect(exitCode(all, { gates: [gate('max_flaky', 'undecided'), gate('max_cost', 'broken')] })).toBe(1);
  expect(exitCode(all, { gates: [gate('max_flaky', 'held')] })).toBe(0);
});

test('with a gate on the pass rate, single tests do not decide', () => {
  expect(exitCode({ passed: 2, failed: 1, error: 1 }, { gates: [gate('min_pass_rate', 'held')] })).toBe(0);
  expect(exitCode({ passed: 2, failed: 2 }, { gates: [gate('max_flaky', 'held')] })).toBe(1);
});

test('a pass rate never outweighs an unrecorded call or a fault that did not happen', () => {
  const gates = [gate('min_pass_rate', 'held')];
  expect(exitCode({ passed: 3, error: 1 }, { gates, errors: { timeout: 1 } })).toBe(0);
  for (const kind of ['cassette', 'fault'] as const)
    expect(exitCode({ passed: 3, error: 1 }, { gates, errors: { [kind]: 1 } })).toBe(3);
});
