import { expect, test } from 'vitest';
import type { Test } from '../../base/model/test.ts';
import { outlinePlan, type CountedSuite } from './plan-outline.ts';
import type { Selection } from './select.ts';

function suite(file: string, tests: readonly Partial<Test>[]): CountedSuite {
  const all = tests.map(
    (own, index) =>
      ({
        id: `t${index}`,
        steps: [],
        assertions: [],
        tags: [],
        place: { file, line: index + 1, column: 1 },
        ...own,
      }) as Test,
  );
  const running = all.filter(({ skip }) => skip === undefined);
  const repeats = new Map<number | undefined, number>();
  for (const each of running) repeats.set(each.repeats, (repeats.get(each.repeats) ?? 0) + 1);
  return {
    file,
    hasOnly: all.some(({ only }) => only === true),
    batches: () => [all.slice(0, 1), all.slice(1)],
    testCount: all.length,
    skippedCount: all.length - running.length,
    repeats,
  } as unknown as CountedSuite;
}

const outline = async (
  suites: readonly CountedSuite[],
  selection: Selection = {},
  fallback: number | 'auto' = 1,
) => {
  const { files, leftOut } = await outlinePlan(suites, {
    selection,
    repeatsOf: (own) => (fallback === 'auto' ? undefined : (own ?? fallback)),
  });
  return { files: Object.fromEntries(files), leftOut };
};

const SUITES = [
  suite('a.yaml', [{}, { repeats: 3 }, { skip: true, repeats: 5 }]),
  suite('b.yaml', [{ tags: ['x'] }]),
];

test('every test counts with its repeats, and a skipped one once', async () => {
  expect(await outline(SUITES)).toEqual({
    files: {
      'a.yaml': { tests: 3, pairs: 3, attempts: 1 + 3 + 1 },
      'b.yaml': { tests: 1, pairs: 1, attempts: 1 },
    },
    leftOut: { filters: 0, only: 0, passed: 0 },
  });
  expect((await outline(SUITES, {}, 2)).files).toEqual({
    'a.yaml': { tests: 3, pairs: 3, attempts: 2 + 3 + 1 },
    'b.yaml': { tests: 1, pairs: 1, attempts: 2 },
  });
});

test('with a filter, only the selected tests count; the others are counted by reason', async () => {
  expect(await outline(SUITES, { tags: ['x'] })).toEqual({
    files: { 'a.yaml': { tests: 0, pairs: 0, attempts: 0 }, 'b.yaml': { tests: 1, pairs: 1, attempts: 1 } },
    leftOut: { filters: 3, only: 0, passed: 0 },
  });
  expect(await outline(SUITES, { grep: 't1|t2' })).toMatchObject({
    files: { 'a.yaml': { tests: 2, pairs: 2, attempts: 4 } },
    leftOut: { filters: 2 },
  });
  expect(await outline(SUITES, { tests: new Set(['a.yaml::t0']) })).toMatchObject({
    files: { 'a.yaml': { tests: 1, pairs: 1, attempts: 1 } },
    leftOut: { passed: 3 },
  });
});

test('`only` applies across all files', async () => {
  const marked = [suite('a.yaml', [{}, { only: true }]), suite('b.yaml', [{}])];
  expect(await outline(marked)).toEqual({
    files: { 'a.yaml': { tests: 1, pairs: 1, attempts: 1 }, 'b.yaml': { tests: 0, pairs: 0, attempts: 0 } },
    leftOut: { filters: 0, only: 2, passed: 0 },
  });
});

test('the number of attempts is unknown with adaptive repeats', async () => {
  expect((await outline(SUITES, {}, 'auto')).files).toEqual({
    'a.yaml': { tests: 3, pairs: 3, attempts: undefined },
    'b.yaml': { tests: 1, pairs: 1, attempts: undefined },
  });
  expect((await outline(SUITES, { grep: 't0' }, 'auto')).files).toMatchObject({
    'a.yaml': { tests: 1, pairs: 1, attempts: undefined },
  });
});
