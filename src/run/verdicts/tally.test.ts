import { expect, test } from 'vitest';
import { attemptRecord } from '../../../test/attempt-record.ts';
import type { GateRules } from '../../base/model/gate.ts';
import type { AttemptRecord, Verdict } from '../../base/model/record.ts';
import { Tally } from './tally.ts';

const ENDING = { durationMs: 5, interrupted: false };

/** Each test with the verdicts of its attempts, as one letter each. */
function tallyOf(
  tests: Readonly<Record<string, string>>,
  { rules, ...fields }: Partial<AttemptRecord> & { rules?: GateRules } = {},
): Tally {
  const verdicts: Record<string, Verdict> = { p: 'passed', f: 'failed', e: 'error', s: 'skipped' };
  const tally = new Tally(rules);
  for (const [name, letters] of Object.entries(tests))
    for (const [index, letter] of [...letters].entries())
      tally.add(
        attemptRecord({ test: name, repeat: index + 1, verdict: verdicts[letter]!, ...fields }),
        letters.length,
      );
  return tally;
}

test('tests with one attempt are counted by verdict and not listed', () => {
  const tally = tallyOf({ a: 'p', b: 'p', c: 'f', d: 'e', e: 's' });
  expect(tally.summary(ENDING)).toMatchObject({
    tests: 5,
    attempts: 5,
    passed: 2,
    failed: 1,
    error: 1,
    skipped: 1,
    flaky: 0,
    undecided: 0,
    not_started: 0,
    pass_rate: { passed: 2, measured: 3 },
    gates: [],
    duration_ms: 5,
    interrupted: false,
  });
  expect(tally.tests()).toEqual([]);
});

test('a repeated test counts once, with all its attempts', () => {
  const tally = tallyOf({ a: 'pp', b: 'pf', c: 'pe', d: 'ee', e: 's' });
  expect(tally.summary(ENDING)).toMatchObject({
    tests: 5,
    attempts: 9,
    passed: 1,
    failed: 1,
    error: 2,
    skipped: 1,
    flaky: 1,
    // `c` was measured, `d` was not at all.
    undecided: 1,
    pass_rate: { passed: 4, measured: 5 },
  });
  expect(tally.tests().map((each) => [each.test, each.verdict, each.attempts, each.is_flaky])).toEqual([
    ['a', 'passed', 2, false],
    ['b', 'failed', 2, true],
    ['c', 'error', 2, false],
    ['d', 'error', 2, false],
  ]);
  expect(tally.tests()[1]).toMatchObject({
    file: 'a.test.yaml',
    line: 3,
    target: 'agent',
    passed: 1,
    failed: 1,
    error: 0,
    skipped: 0,
    not_started: 0,
    pass_rate: { passed: 1, measured: 2, rate: 0.5 },
    gate: undefined,
  });
});

test('a test with one attempt and a gate is listed with its gate', () => {
  const tally = tallyOf({ a: 'p' }, { pass_at_least: 0.5 });
  expect(tally.tests()).toMatchObject([{ test: 'a', attempts: 1, gate: { outcome: 'held' } }]);
  expect(tally.summary(ENDING)).toMatchObject({
    tests: 1,
    passed: 1,
    gates: [{ gate: 'pass_at_least', wanted: 1 }],
  });
});

test('a record without a number of repeats may belong to a repeated test', () => {
  const tally = new Tally();
  tally.add(attemptRecord({ verdict: 'passed' }));
  expect(tally.tests()).toEqual([]);
  tally.add(attemptRecord({ verdict: 'failed', repeat: 2 }));
  expect(tally.tests()).toMatchObject([{ attempts: 2, is_flaky: true }]);
  expect(tally.summary(ENDING)).toMatchObject({ tests: 1, flaky: 1, failed: 1 });
});

test('the same test with two targets counts as two', () => {
  const tally = new Tally();
  for (const target of ['one', 'two'])
    for (const repeat of [1, 2]) tally.add(attemptRecord({ target, repeat }), 2);
  expect(tally.summary(ENDING)).toMatchObject({ tests: 2, attempts: 4 });
});

test('errors are counted by kind', () => {
  const tally = new Tally();
  for (const kind of ['timeout', 'agent', 'timeout'] as const)
    tally.add(attemptRecord({ test: kind, verdict: 'error', error: { kind, message: '' } }), 1);
  expect(tally.summary(ENDING).errors).toEqual({ timeout: 2, agent: 1 });
});

test('attempts that were left out count as planned', () => {
  const rules = { min_coverage: 0.9, min_pass_rate: 0.5 };
  const gate = (leftOut: number): string => {
    const tally = tallyOf({ a: 'ppppppppp' }, { rules });
    for (let left = 0; left < leftOut; left++)
      tally.leaveOut({ ...attemptRecord({ test: 'b' }), repeats: 1 });
    return tally.summary(ENDING).gates[0]!.outcome;
  };
  expect([gate(0), gate(1), gate(2)]).toEqual(['held', 'held', 'undecided']);
  const failed = tallyOf({ a: 'p', b: 'f', c: 'e' }, { rules: { ...rules, min_coverage: 0.6 } });
  expect(failed.summary(ENDING).gates[0]).toMatchObject({ outcome: 'held', actual: 0.5 });
  const repeated = tallyOf({ a: 'pe', b: 'pp' }, { rules });
  expect(repeated.summary(ENDING).gates[0]).toMatchObject({
    outcome: 'undecided',
    message: expect.stringContaining('3 of 4'),
  });
  const unnamed = tallyOf({ a: 'p' }, { rules });
  unnamed.leaveOutUnnamed(3);
  expect(unnamed.summary(ENDING)).toMatchObject({
    not_started: 3,
    tests: 1,
    gates: [{ outcome: 'undecided' }],
  });
  // A skipped test is not planned.
  expect(tallyOf({ a: 'p', b: 's', c: 's' }, { rules }).summary(ENDING).gates[0]?.outcome).toBe('held');
});

test('a test with an attempt that was left out has not passed', () => {
  const tally = new Tally();
  tally.add(attemptRecord(), 2);
  tally.leaveOut({ ...attemptRecord({ repeat: 2 }), repeats: 2 });
  expect(tally.tests()).toMatchObject([{ verdict: 'error', attempts: 1, not_started: 1 }]);
  expect(tally.summary(ENDING)).toMatchObject({
    tests: 1,
    passed: 0,
    error: 1,
    not_started: 1,
    undecided: 1,
  });
});

test('a test that never started is listed only if it has a gate', () => {
  const tally = new Tally();
  tally.leaveOut({ ...attemptRecord({ test: 'plain' }), repeats: 2 });
  tally.leaveOut({ ...attemptRecord({ test: 'gated', pass_at_least: '1/2' }), repeats: 2 });
  expect(tally.tests()).toMatchObject([{ test: 'gated', verdict: 'error', gate: { outcome: 'undecided' } }]);
  expect(tally.summary(ENDING)).toMatchObject({ tests: 1, error: 1, undecided: 0, not_started: 2 });
});

test("attempts that another run left out are added, with the gate in that test's records", () => {
  const other = tallyOf({ a: 'pp' }).tests()[0]!;
  const tally = tallyOf({ a: 'p', b: 'p' }, { pass_at_least: 0.5 });
  tally.leaveOutOf({ ...other, not_started: 0 });
  expect(tally.summary(ENDING).not_started).toBe(0);
  tally.leaveOutOf({ ...other, not_started: 3 });
  tally.leaveOutOf({
    ...other,
    test: 'c',
    not_started: 1,
    gate: { pass_at_least: 0.9, outcome: 'undecided', message: '' },
  });
  expect(tally.tests()).toMatchObject([
    { test: 'a', not_started: 3, verdict: 'error', gate: { pass_at_least: 0.5 } },
    { test: 'b', not_started: 0, verdict: 'passed' },
    { test: 'c', not_started: 1, verdict: 'error', gate: { pass_at_least: 0.9 } },
  ]);
  expect(tally.summary(ENDING).not_started).toBe(4);
});

test('the gate in the last record counts', () => {
  const tally = new Tally();
  tally.add(attemptRecord({ pass_at_least: 0.5 }), 2);
  tally.add(attemptRecord({ repeat: 2, verdict: 'failed', pass_at_least: 0.9 }), 2);
  expect(tally.tests()).toMatchObject([{ verdict: 'failed', gate: { pass_at_least: 0.9 } }]);
});

test('only tests that were measured twice can be flaky', () => {
  const rules = { min_coverage: 0.1, max_flaky: 0.5 };
  const gate = (letters: Readonly<Record<string, string>>) =>
    tallyOf(letters, { rules }).summary(ENDING).gates[0];
  expect(gate({ a: 'pf', b: 'pp', c: 'pe', d: 'p' })).toMatchObject({ outcome: 'held', actual: 0.5 });
  expect(gate({ a: 'pf', b: 'ff', c: 'pf' })).toMatchObject({ outcome: 'broken', actual: 2 / 3 });
  expect(gate({ c: 'pe', d: 'p' })).toMatchObject({ outcome: 'undecided' });
});

test('adaptive repeats count the saved attempts, and give no pass@k', () => {
  const rules = { min_coverage: 0.9, adaptive: { confidence: 0.95, max_repeats: 5, pass_at_least: 0.5 } };
  const tally = tallyOf({ a: 'pp', b: 'pfe', c: 's', d: 'pppppp' }, { rules });
  tally.leaveOut(attemptRecord({ test: 'e' }));
  tally.add(attemptRecord({ test: 'f' }));
  tally.add(attemptRecord({ test: 'g', verdict: 'skipped' }));
  expect(tally.summary(ENDING)).toMatchObject({ saved_attempts: 3 + 2 + 4, pass_at_k: [], pass_hat_k: [] });
  expect(tally.summary({ ...ENDING, interrupted: true }).saved_attempts).toBeUndefined();
  const fixed = tallyOf({ a: 'pp' }).summary(ENDING);
  expect(fixed.saved_attempts).toBeUndefined();
  expect(fixed.pass_at_k.map(({ k, tests }) => [k, tests])).toEqual([
    [1, 1],
    [2, 1],
  ]);
});

test('pass@1 covers tests with one attempt and repeated ones', () => {
  const { pass_at_k, pass_hat_k } = tallyOf({ a: 'p', b: 'f', c: 'pf', d: 'pf' }).summary(ENDING);
  expect(pass_at_k).toMatchObject([{ k: 1, value: 0.5, tests: 4 }]);
  expect(pass_hat_k).toMatchObject([{ k: 1, value: 0.5, tests: 4 }]);
});

test('the error of the pass rate over equal targets is that of the tests', () => {
  const tests = { a: 'ppp', b: 'pff', c: 'fff', d: 'pp', e: 'p' };
  const add = (tally: Tally, target: string): void => {
    const verdicts: Record<string, Verdict> = { p: 'passed', f: 'failed' };
    for (const [name, letters] of Object.entries(tests))
      for (const [index, letter] of [...letters].entries())
        tally.add(
          attemptRecord({ test: name, target, repeat: index + 1, verdict: verdicts[letter]! }),
          letters.length,
        );
  };
  const one = new Tally();
  add(one, 'x');
  const names = ['x', 'y', 'z'];
  const three = new Tally(undefined, names);
  for (const name of names) add(three, name);
  const [single, triple] = [one.summary(ENDING), three.summary(ENDING)];
  expect(triple.pass_rate!.measured).toBe(3 * single.pass_rate!.measured);
  expect(triple.pass_rate!.standard_error).toBeCloseTo(single.pass_rate!.standard_error!, 12);
  expect(triple.pass_at_k).toHaveLength(single.pass_at_k.length);
  for (const [index, { value, standard_error }] of triple.pass_at_k.entries()) {
    expect(value).toBeCloseTo(single.pass_at_k[index]!.value, 12);
    expect(standard_error).toBeCloseTo(single.pass_at_k[index]!.standard_error!, 12);
  }
});

test('pass@k needs as many of the planned tests as the gates do', () => {
  const rules = { min_coverage: 0.9 } as GateRules;
  const measured = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`t${index}`, 'pf']));
  const ks = (tests: Record<string, string>): readonly number[] =>
    tallyOf(tests, { rules })
      .summary(ENDING)
      .pass_at_k.map(({ k }) => k);
  expect(ks({ ...measured, broken: 'ee' })).toEqual([1, 2]);
  expect(ks({ ...measured, broken: 'ee', other: 'ee' })).toEqual([]);
  expect(ks({ ...measured, broken: 'pe', other: 'pe' })).toEqual([1]);
  expect(ks({ ...measured, left: 's', out: 's' })).toEqual([1, 2]);
  const stopped = tallyOf(measured, { rules });
  const { file, line } = attemptRecord({ test: 'x' });
  for (const name of ['x', 'y'])
    for (const repeats of [2, 2])
      stopped.leaveOut({ file, line, test: name, target: 'agent', repeats, pass_at_least: undefined });
  expect(stopped.summary(ENDING).pass_at_k).toEqual([]);
});
