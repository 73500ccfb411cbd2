import { expect, test } from 'vitest';
import type { ResultRow } from '../../src/base/model/page-data.ts';
import { gridKey, gridOf, hasGrid } from '../../src/runs/fold/target-grid.ts';
import { TestRows, type TestRow } from '../run/test-row.ts';
import { rowsInOrder, targetsOf } from './grid-rows.ts';

function row(name: string, target: string, more: Partial<ResultRow> = {}): ResultRow {
  const names = { index: 0, id: `${name} ${target}`, file: 'a.yaml', line: 1, test: name, tags: [], target };
  return { ...names, repeat: 1, verdict: 'passed', duration_ms: 10, ...more };
}

function testsOf(...attempts: readonly ResultRow[]): readonly TestRow[] {
  const rows = new TestRows();
  for (const attempt of attempts) rows.add(attempt);
  return rows.list;
}

const tests = testsOf(
  row('same', 'b'),
  row('same', 'a'),
  row('broken', 'a', { verdict: 'failed' }),
  row('broken', 'b'),
  row('alone', 'b', { verdict: 'error' }),
  row('same', 'a', { file: 'b.yaml', id: 'other' }),
);

test('tests become rows and targets columns, in the order of the run', () => {
  const targets = targetsOf(tests, ['a', 'gone', 'b']);
  expect(targets).toEqual(['a', 'b']);
  expect(targetsOf(tests, [])).toEqual(['b', 'a']);
  const rows = gridOf(tests, targets);
  expect(
    [...rows.values()].map(({ file, test: name, cells, differs }) => [
      file,
      name,
      cells.map((cell) => cell?.verdict),
      differs,
    ]),
  ).toEqual([
    ['a.yaml', 'same', ['passed', 'passed'], false],
    ['a.yaml', 'broken', ['failed', 'passed'], true],
    ['a.yaml', 'alone', [undefined, 'error'], false],
    ['b.yaml', 'same', ['passed', undefined], false],
  ]);
});

test('a run is a grid if one test has two targets', () => {
  const isGrid = (some: readonly TestRow[]): boolean => hasGrid(gridOf(some, targetsOf(some, [])).values());
  expect(isGrid(tests)).toBe(true);
  expect(isGrid([])).toBe(false);
  expect(isGrid([tests[0]!, tests[4]!])).toBe(false);
  // Each test names its own target.
  expect(isGrid([tests[0]!, tests[2]!, tests[5]!])).toBe(false);
});

test('a row is shown if one of its results is, in the position of the first one', () => {
  const all = gridOf(tests, ['a', 'b']);
  const namesOf = (shown: readonly TestRow[], onlyDiffering = false): readonly string[] =>
    rowsInOrder(shown, all, { onlyDiffering }).map(({ test: name }) => name);
  expect(namesOf([tests[2]!, tests[4]!, tests[3]!])).toEqual(['broken', 'alone']);
  expect(namesOf(tests, true)).toEqual(['broken']);
});

test('targets also differ if their repeats pass less often', () => {
  const of_test = { verdict: 'passed', is_flaky: false, passed: 2, failed: 0, duration_ms: 1 } as const;
  const flaky = row('t', 'a', {
    repeat: 2,
    verdict: 'failed',
    of_test: { ...of_test, is_flaky: true, passed: 1, failed: 1 },
  });
  const results = testsOf(row('t', 'a'), flaky, row('t', 'b'), row('t', 'b', { repeat: 2, of_test }));
  const rows = gridOf(results, ['a', 'b']);
  expect(rows.get(gridKey(flaky))).toMatchObject({ differs: true });
});
