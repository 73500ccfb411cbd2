import { expect, test } from 'vitest';
import { attemptRecord } from '../../../test/attempt-record.ts';
import type { AttemptRecord, Verdict } from '../../base/model/record.ts';
import { testVerdict } from './test-verdict.ts';
import { RunFold, type FoldOptions } from './run-fold.ts';
import { meanCost, meanDuration, meanScore, sumOfCosts } from './test-result.ts';

function foldOf(records: readonly Partial<AttemptRecord>[], options?: FoldOptions): RunFold<AttemptRecord> {
  const fold = new RunFold<AttemptRecord>(options);
  for (const record of records.map(attemptRecord)) fold.add(record, record);
  return fold;
}

test('the last record of a test describes it', () => {
  const { tests } = foldOf([
    { line: 3, column: 1, fingerprint: 'a', pass_at_least: 0.5 },
    { repeat: 2, line: 4, column: 2, fingerprint: 'b' },
    { test: 'u', fingerprint: 'c', pass_at_least: 0.5 },
    { test: 'u', repeat: 2, fingerprint: 'd', pass_at_least: 0.75 },
  ]);
  expect(tests).toMatchObject([
    { line: 4, column: 2, fingerprint: 'b', passAtLeast: undefined },
    { fingerprint: 'd', passAtLeast: 0.75 },
  ]);
});

test('tests with the same name in other files or targets stay separate, and records of one test need not be adjacent', () => {
  const { tests, files } = foldOf(
    [
      { test: 't', file: 'a.yaml', target: 'one' },
      { test: 't', file: 'b.yaml', target: 'one' },
      { test: 't', file: 'a.yaml', target: 'two' },
      { test: 'u', file: 'a.yaml', target: 'one' },
      { test: 't', file: 'a.yaml', target: 'one', repeat: 2 },
      // A second name of the same file.
      { test: 'u', file: './a.yaml', target: 'one', repeat: 2 },
    ],
    { fileOf: (file) => `project/${file.replace('./', '')}` },
  );
  const shown = tests.map(({ file, test: name, target, attempts }) => [
    file,
    name,
    target,
    attempts.map(({ repeat }) => repeat),
  ]);
  expect(shown).toEqual([
    ['project/a.yaml', 't', 'one', [1, 2]],
    ['project/b.yaml', 't', 'one', [1]],
    ['project/a.yaml', 't', 'two', [1]],
    ['project/a.yaml', 'u', 'one', [1, 2]],
  ]);
  expect([...files]).toEqual([
    ['a.yaml', 'project/a.yaml'],
    ['b.yaml', 'project/b.yaml'],
    ['./a.yaml', 'project/a.yaml'],
  ]);
});

test('names that look alike when they are joined are different tests', () => {
  const { tests } = foldOf([
    { test: 'x::y', target: 'z' },
    { test: 'x', target: 'y::z' },
  ]);
  expect(tests).toHaveLength(2);
});

test('attempts are sorted by repeat; for one that ran again, the last record counts', () => {
  const orders = [
    [1, 2, 3],
    [3, 2, 1],
    [2, 3, 1],
    [3, 1, 2],
  ];
  for (const order of orders)
    expect(foldOf(order.map((repeat) => ({ repeat }))).tests[0]!.attempts.map((one) => one.repeat)).toEqual([
      1, 2, 3,
    ]);
  const again = (...given: readonly [number, Verdict][]) => {
    const [result] = foldOf(given.map(([repeat, verdict]) => ({ repeat, verdict }))).tests;
    const { passed, failed, error, skipped, attempts } = result!;
    expect(passed + failed + error + skipped).toBe(attempts.length);
    return [passed, failed, error, ...attempts.map(({ repeat, verdict }) => `${repeat} ${verdict}`)];
  };
  expect(again([1, 'error'], [1, 'passed'])).toEqual([1, 0, 0, '1 passed']);
  expect(again([1, 'passed'], [2, 'error'], [3, 'passed'], [2, 'failed'])).toEqual([
    2,
    1,
    0,
    '1 passed',
    '2 failed',
    '3 passed',
  ]);
  expect(again([2, 'error'], [1, 'error'], [1, 'passed'])).toEqual([1, 0, 1, '1 passed', '2 error']);
});

test('what replaces an earlier record says which one', () => {
  const fold = new RunFold<AttemptRecord>();
  const [first, other] = [attemptRecord({ verdict: 'error' }), attemptRecord({ repeat: 2 })];
  expect(fold.add(first, first).replaced).toBeUndefined();
  expect(fold.add(other, other).replaced).toBeUndefined();
  const again = attemptRecord();
  expect(fold.add(again, again)).toMatchObject({ replaced: { verdict: 'error' }, test: { passed: 2 } });
});

test('a test has the verdict that the gates of its run and its left out attempts give', () => {
  const verdict = (given: readonly Partial<AttemptRecord>[], options?: FoldOptions) => {
    const fold = foldOf(given, options);
    return testVerdict(fold.tests[0]!, fold.rules);
  };
  const flaky = [{ repeat: 1 }, { repeat: 2, verdict: 'failed' }] as const;
  expect(verdict(flaky)).toEqual({ verdict: 'failed', isFlaky: true });
  const gated = flaky.map((one) => ({ ...one, pass_at_least: 0.5 }));
  expect(verdict(gated)).toMatchObject({ verdict: 'passed', gate: { outcome: 'held' } });
  const adaptive = { confidence: 0.95, max_repeats: 50, pass_at_least: 0.8 };
  expect(verdict(flaky, { rules: { min_coverage: 0.9, adaptive } })).toMatchObject({ verdict: 'error' });
  const { file, line, test: name, target } = attemptRecord();
  const left = { file, line, test: name, target, not_started: 3 } as never;
  expect(verdict([{}], { unfinished: [left] })).toEqual({ verdict: 'error', isFlaky: false });
});

test('a counted attempt is not kept', () => {
  const fold = new RunFold();
  for (const verdict of ['passed', 'failed', 'passed'] as const) fold.count(attemptRecord({ verdict }));
  expect(fold.tests).toMatchObject([{ passed: 2, failed: 1, attempts: [] }]);
});

test('means and sums are over the attempts that have the number, in the order of their repeats', () => {
  const [result] = foldOf([
    { repeat: 3, score: 0.1, cost_usd: 0.3, duration_ms: 4 },
    { repeat: 1, score: 0.2, cost_usd: 0.1, duration_ms: 2 },
    { repeat: 2, verdict: 'error', duration_ms: 3 },
    { repeat: 4, verdict: 'skipped', cost_usd: 0.2, duration_ms: 0 },
  ]).tests;
  expect(meanScore(result!)).toBe((0.2 + 0.1) / 2);
  expect(sumOfCosts(result!)).toBe(0.1 + 0.3 + 0.2);
  expect(meanCost(result!)).toBe((0.1 + 0.3 + 0.2) / 3);
  expect(meanDuration(result!)).toBe(3);
  const nothing = { attempts: [] };
  expect([meanScore(nothing), sumOfCosts(nothing), meanCost(nothing), meanDuration(nothing)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
