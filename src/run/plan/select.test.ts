import { expect, test } from 'vitest';
import type { Test } from '../../base/model/test.ts';
import { createSelector, type Selection } from './select.ts';
import { isFiltered } from './plan-outline.ts';

const at = (id: string, line: number, more: Partial<Test> = {}): Test => ({
  id,
  steps: [],
  assertions: [],
  tags: [],
  place: { file: 'a.yaml', line, column: 1 },
  ...more,
});

const TESTS = [
  at('books-a-flight', 2, { tags: ['smoke', 'slow'], description: 'Two legs (return)' }),
  at('cancels', 10, { tags: ['smoke'] }),
  at('greets', 20, { tags: ['other'], description: 'Says hello' }),
];

function chosen(selection: Selection, file = 'a.yaml'): readonly string[] {
  const isWanted = createSelector(selection);
  return TESTS.filter((each, index) => isWanted(each, file, TESTS[index + 1])).map(({ id }) => id);
}

test.each<[string, Selection, readonly string[]]>([
  ['nothing asked', {}, ['books-a-flight', 'cancels', 'greets']],
  ['a part of an id, in any case', { grep: 'CANCEL' }, ['cancels']],
  ['a part of a description', { grep: 'hello' }, ['greets']],
  ['a pattern', { grep: '^(?:cancels|greets)$' }, ['cancels', 'greets']],
  ['id and description as shown', { grep: 'greets says' }, ['greets']],
  ['what is no pattern is a part of the title', { grep: '(return' }, ['books-a-flight']],
  ['what is a pattern is a part of the title too', { grep: '(return)' }, ['books-a-flight']],
  ['one of the tags', { tags: ['slow', 'other'] }, ['books-a-flight', 'greets']],
  ['a tag', { tags: ['other'] }, ['greets']],
  ['no tag', { tags: [] }, ['books-a-flight', 'cancels', 'greets']],
  ['tests by name', { tests: new Set(['a.yaml::cancels', 'b.yaml::greets']) }, ['cancels']],
  ['everything must match', { grep: 'e', tags: ['smoke'], lines: new Map([['a.yaml', [12]]]) }, ['cancels']],
])('%s', (_, selection, ids) => {
  expect(chosen(selection)).toEqual(ids);
});

test.each([
  [1, []],
  [2, ['books-a-flight']],
  [9, ['books-a-flight']],
  [10, ['cancels']],
  [19, ['cancels']],
  [20, ['greets']],
  [999, ['greets']],
])('line %d selects the test that begins before it', (line, ids) => {
  expect(chosen({ lines: new Map([['a.yaml', [line]]]) })).toEqual(ids);
});

test('lines of another file select nothing here', () => {
  expect(chosen({ lines: new Map([['b.yaml', [1]]]) })).toHaveLength(3);
  expect(chosen({ lines: new Map([['a.yaml', []]]) })).toEqual([]);
});

test.each<[Selection, boolean]>([
  [{}, false],
  [{ lines: new Map() }, false],
  [{ lines: new Map([['a.yaml', [1]]]) }, true],
  [{ grep: '' }, true],
  [{ tags: [] }, true],
  [{ tests: new Set() }, true],
])('%j filters: %s', (selection, filters) => {
  expect(isFiltered(selection)).toBe(filters);
});
