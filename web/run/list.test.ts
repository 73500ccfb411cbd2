import { expect, test } from 'vitest';
import type { ResultRow, RunRow } from '../../src/base/model/page-data.ts';
import { filterQuery, filterTests, readFilter } from './filter.ts';
import { groupRows, isGroup } from './group-rows.ts';
import { orderQuery, readOrder, sortTests } from './sort.ts';
import { runOutcome } from './run-name.ts';
import { attemptToOpen, TestRows, type TestRow } from './test-row.ts';

function row(name: string, more: Partial<ResultRow> = {}): ResultRow {
  const names = { index: 0, id: name, file: 'a.yaml', line: 1, test: name, tags: [], target: 'agent' };
  return { ...names, repeat: 1, verdict: 'passed', duration_ms: 10, ...more };
}

function testsOf(...attempts: readonly ResultRow[]): readonly TestRow[] {
  const rows = new TestRows();
  for (const attempt of attempts) rows.add(attempt);
  return rows.list;
}
const namesOf = (tests: readonly TestRow[]): readonly string[] => tests.map((one) => one.test);

test('a test with several repeats is what the server says with its latest row', () => {
  const of_test = {
    verdict: 'failed',
    is_flaky: true,
    passed: 1,
    failed: 1,
    score: 0.5,
    duration_ms: 7,
  } as const;
  const second = row('t', { repeat: 2, index: 1, score: 1 });
  const first = row('t', { verdict: 'failed', score: 0, index: 2, of_test });
  const [flaky] = testsOf(second, first);
  expect(flaky).toMatchObject({ verdict: 'failed', isFlaky: true, score: 0.5, durationMs: 7, passed: 1 });
  expect(flaky!.attempts.map(({ repeat }) => repeat)).toEqual([1, 2]);
  expect(attemptToOpen(flaky!.attempts).verdict).toBe('failed');
  const held = { ...of_test, verdict: 'passed', cost_usd: 3 } as const;
  const [third] = testsOf(second, first, row('t', { repeat: 3, index: 3, of_test: held }));
  expect(third).toMatchObject({ verdict: 'passed', isFlaky: true, costUsd: 3 });
  const unfinished = { ...of_test, verdict: 'error', is_flaky: false } as const;
  expect(testsOf(row('t', { of_test: unfinished }))).toMatchObject([{ verdict: 'error', isFlaky: false }]);
});

test('the sign of a run follows its exit code, not its tests', () => {
  const counts = { tests: 2, attempts: 2, passed: 1, failed: 1, error: 0, skipped: 0, flaky: 0 };
  const summary = { ...counts, duration_ms: 1, interrupted: false };
  const signOf = (exit_code: number | undefined, state: RunRow['state'] = 'ended'): string =>
    runOutcome({ state, exit_code, summary });
  expect([0, 1, 2, 3].map((code) => signOf(code))).toEqual(['passed', 'failed', 'error', 'error']);
  expect(signOf(130, 'interrupted')).toBe('error');
  expect(signOf(undefined, 'broken_off')).toBe('error');
  expect(signOf(0, 'damaged')).toBe('error');
  expect(signOf(undefined, 'running')).toBe('running');
  const none = { ...summary, passed: 0, failed: 0, skipped: 2 };
  expect(runOutcome({ state: 'ended', exit_code: 0, summary: none })).toBe('skipped');
});

test('a record of the same attempt replaces the earlier one', () => {
  const [again] = testsOf(row('t', { verdict: 'error' }), row('t', { index: 7 }));
  expect(again).toMatchObject({ verdict: 'passed', attempts: [{ index: 7 }] });
});

test('filters are written to the link and read from it', () => {
  const query = new URLSearchParams({
    verdict: 'failed,flaky',
    q: 'a b',
    tag: 'x y',
    sort: 'time',
    group: 'none',
  });
  const filter = readFilter(query);
  const order = readOrder(query);
  // The link of an older version: all of its filters are in the query now.
  expect(filter.text).toBe('verdict:failed,flaky tag:"x y" a b');
  const link = new URLSearchParams({ sort: 'time', group: 'none', q: filter.text });
  expect(readFilter(link)).toEqual(filter);
  expect({ ...filterQuery(filter), ...orderQuery(order) }).toMatchObject(Object.fromEntries(link));
  const broken = readFilter(new URLSearchParams({ q: 'verdict:failed score:' }), filter);
  expect(broken).toMatchObject({ query: filter.query, problem: { message: expect.any(String) } });
  expect(readOrder(new URLSearchParams('sort=constructor')).key).toBe('problems');
});

test('a filter matches tests with every word somewhere and any of the verdicts', () => {
  const tests = testsOf(
    row('berlin', { description: 'Ada BOOKS', tags: ['smoke'] }),
    row('tokyo', { verdict: 'failed', problem: 'price differs', target: 'other' }),
    row('lisbon', { verdict: 'error', file: 'b.yaml' }),
  );
  const filtered = (query: string): readonly string[] =>
    namesOf(filterTests(tests, readFilter(new URLSearchParams(query))));
  expect(filtered('')).toEqual(['berlin', 'tokyo', 'lisbon']);
  expect(filtered('q=books+ada')).toEqual(['berlin']);
  expect(filtered('q=PRICE')).toEqual(['tokyo']);
  expect(filtered('verdict=failed,error')).toEqual(['tokyo', 'lisbon']);
  expect(filtered('tag=smoke')).toEqual(['berlin']);
  expect(filtered('file=b.yaml')).toEqual(['lisbon']);
  expect(filtered('agent=other')).toEqual(['tokyo']);
});

test('in every order, unmeasured tests come last, and files with problems first', () => {
  const tests = testsOf(
    row('c', { score: 0.5, duration_ms: 1 }),
    row('a', { duration_ms: 3, verdict: 'error', file: 'b.yaml' }),
    row('b', { score: 0.1, duration_ms: 2, verdict: 'skipped' }),
  );
  const sorted = (query: string): readonly string[] =>
    namesOf(sortTests(tests, readOrder(new URLSearchParams(query))));
  expect(sorted('')).toEqual(['a', 'c', 'b']);
  expect(sorted('sort=name')).toEqual(['a', 'b', 'c']);
  expect(sorted('sort=score')).toEqual(['b', 'c', 'a']);
  expect(sorted('sort=time&order=reverse')).toEqual(['c', 'b', 'a']);
  const order = readOrder(new URLSearchParams('group=file'));
  const rows = groupRows(sortTests(tests, order), order, new Set(['file a.yaml']));
  expect(rows.map((one) => (isGroup(one) ? one.key : one.test))).toEqual(['file b.yaml', 'a', 'file a.yaml']);
});

test('tests that failed for the same reason stand together, and many of them are folded', () => {
  const failed = (name: string, cause: string): ResultRow => row(name, { verdict: 'failed', cause });
  const order = readOrder(new URLSearchParams());
  const shown = (tests: readonly TestRow[], toggled = new Set<string>()): readonly string[] =>
    groupRows(sortTests(tests, order), order, toggled).map((one) => {
      if (!isGroup(one)) return one.test;
      return one.kind === 'reason' ? `${one.isOpen ? 'open' : 'closed'} ${one.count}` : one.file;
    });
  expect(shown(testsOf(row('fine'), failed('a', 'x'), failed('b', 'y'), failed('c', 'x')))).toEqual([
    'a',
    'open 1',
    'c',
    'b',
    'fine',
  ]);
  const many = testsOf(...['a', 'b', 'c', 'd', 'e'].map((name) => failed(name, 'x')), row('fine'));
  expect(shown(many)).toEqual(['a', 'closed 4', 'fine']);
  expect(shown(many, new Set(['reason failed x']))).toEqual(['a', 'open 4', 'b', 'c', 'd', 'e', 'fine']);
  // A reason that is not known is not the same as another one that is not known.
  expect(shown(testsOf(row('a', { verdict: 'failed' }), row('b', { verdict: 'failed' })))).toEqual([
    'a',
    'b',
  ]);
  expect(shown(testsOf(failed('a', 'x'), { ...failed('b', 'x'), verdict: 'error' }))).toEqual(['a', 'b']);
});
