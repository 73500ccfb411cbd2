import { expect, test } from 'vitest';
import { attemptRecord } from '../../test/attempt-record.ts';
import type { AttemptRecord } from '../model/record.ts';
import { RunRows } from './run-rows.ts';

function rowsOf(...records: readonly Partial<AttemptRecord>[]): RunRows {
  const rows = new RunRows('run-7', (file) => `project/${file}`);
  for (const record of records) rows.add(attemptRecord(record));
  return rows;
}

/** The getters of a row, as an object. */
function listed(rows: RunRows) {
  return rows.list().map(({ file, line, test: name, target, fingerprint, passAtLeast, attempts }) => ({
    file,
    line,
    name,
    target,
    fingerprint,
    passAtLeast,
    repeats: attempts.map(({ repeat }) => repeat),
  }));
}

test('a row keeps what a record says about its test and attempt', () => {
  const rows = rowsOf({
    file: 'b.test.yaml',
    line: 12,
    test: 'greets',
    target: 'bot',
    repeat: 3,
    fingerprint: '0123456789abcdef',
    pass_at_least: '8/10',
    verdict: 'failed',
    score: 0.5,
    duration_ms: 31,
    cost_usd: 0.25,
    token_usage: { input: 3, output: 4, cached: 5 },
  });
  expect(listed(rows)).toEqual([
    {
      file: 'project/b.test.yaml',
      line: 12,
      name: 'greets',
      target: 'bot',
      fingerprint: '0123456789abcdef',
      passAtLeast: '8/10',
      repeats: [3],
    },
  ]);
  const [row] = rows.list();
  expect(row!.attempts).toEqual([
    { repeat: 3, verdict: 'failed', score: 0.5, durationMs: 31, costUsd: 0.25, tokens: 12 },
  ]);
  expect(row!.rules).toEqual({ min_coverage: 0.9 });
});

test('what a record does not say is unknown, not 0', () => {
  const [row] = rowsOf({ verdict: 'error' }).list();
  expect(row!.attempts).toEqual([
    { repeat: 1, verdict: 'error', score: undefined, durationMs: 7, costUsd: undefined, tokens: undefined },
  ]);
  const [free] = rowsOf({ score: 0, cost_usd: 0, token_usage: { input: 0, output: 0 } }).list();
  expect(free!.attempts).toMatchObject([{ score: 0, costUsd: 0, tokens: 0 }]);
});

test.each([
  '0000000000000000',
  'ffffffffffffffff',
  '00000001f0000002',
  'f1',
  '',
  '0123456789abcdef0',
  '0123456789ABCDEF',
])('the fingerprint %j is returned unchanged', (fingerprint) => {
  // Between two others: a mix-up of rows would show.
  const rows = rowsOf(
    { test: 'a', fingerprint: 'aaaaaaaaaaaaaaaa' },
    { fingerprint },
    { test: 'z', fingerprint: 'zz' },
  );
  expect(listed(rows).map((row) => row.fingerprint)).toEqual(['aaaaaaaaaaaaaaaa', fingerprint, 'zz']);
});

test('the last record of a test describes it', () => {
  const rows = rowsOf(
    { line: 3, fingerprint: 'aaaaaaaaaaaaaaaa', pass_at_least: 0.5 },
    { repeat: 2, line: 4, fingerprint: 'bbbbbbbbbbbbbbbb' },
    { test: 'u', fingerprint: 'odd', pass_at_least: 0.5 },
    { test: 'u', repeat: 2, fingerprint: 'bbbbbbbbbbbbbbbb', pass_at_least: 0.75 },
  );
  expect(listed(rows)).toMatchObject([
    { line: 4, fingerprint: 'bbbbbbbbbbbbbbbb', passAtLeast: undefined },
    { fingerprint: 'bbbbbbbbbbbbbbbb', passAtLeast: 0.75 },
  ]);
});

test('tests with the same name in other files or targets stay separate, and records of one test need not be adjacent', () => {
  const rows = rowsOf(
    { test: 't', file: 'a.yaml', target: 'one', repeat: 1 },
    { test: 't', file: 'b.yaml', target: 'one', repeat: 1 },
    { test: 't', file: 'a.yaml', target: 'two', repeat: 1 },
    { test: 'u', file: 'a.yaml', target: 'one', repeat: 1 },
    { test: 't', file: 'a.yaml', target: 'one', repeat: 2 },
  );
  expect(listed(rows).map(({ file, name, target, repeats }) => [file, name, target, repeats])).toEqual([
    ['project/a.yaml', 't', 'one', [1, 2]],
    ['project/b.yaml', 't', 'one', [1]],
    ['project/a.yaml', 't', 'two', [1]],
    ['project/a.yaml', 'u', 'one', [1]],
  ]);
});

test('attempts are sorted by repeat; for one that ran again, the last record counts', () => {
  const orders = [
    [1, 2, 3],
    [3, 2, 1],
    [2, 3, 1],
    [3, 1, 2],
  ];
  for (const order of orders)
    expect(listed(rowsOf(...order.map((repeat) => ({ repeat }))))[0]!.repeats).toEqual([1, 2, 3]);
  const again = (...given: readonly [number, AttemptRecord['verdict']][]) =>
    rowsOf(...given.map(([repeat, verdict]) => ({ repeat, verdict })))
      .list()[0]!
      .attempts.map(({ repeat, verdict }) => [repeat, verdict]);
  expect(again([1, 'error'], [1, 'passed'])).toEqual([[1, 'passed']]);
  expect(again([1, 'passed'], [2, 'error'], [3, 'passed'], [2, 'failed'])).toEqual([
    [1, 'passed'],
    [2, 'failed'],
    [3, 'passed'],
  ]);
  expect(again([2, 'error'], [1, 'error'], [1, 'passed'])).toEqual([
    [1, 'passed'],
    [2, 'error'],
  ]);
});

test('a run is described by its targets, in order, and by its pass rate', () => {
  const rows = rowsOf(
    { test: 'a', target: 'two' },
    { test: 'a', target: 'two', repeat: 2, verdict: 'failed' },
    { test: 'a', target: 'one', verdict: 'error' },
    { test: 'b', target: 'one', verdict: 'skipped' },
  );
  expect(rows.describe()).toEqual({ run_id: 'run-7', targets: ['one', 'two'], passed: 1, measured: 2 });
});
