import { expect, test } from 'vitest';
import { nameFileSets } from './name-file-sets.ts';

function names(...sets: readonly (readonly string[])[]): readonly string[] {
  return sets.map(nameFileSets(sets));
}

test('sets of files get the usual name, or a longer one if it would not be unique', () => {
  expect(names(['a.yaml'], ['e/a.yaml', 'e/b.yaml'])).toEqual(['a.yaml', 'e (2 files)']);
  expect(names(['e/a', 'e/b', 'e/c'], ['e/a', 'e/b', 'e/d'])).toEqual(['e (3 files): c', 'e (3 files): d']);
  expect(names(['a', 'b'], ['a', 'c'])).toEqual(['a and 1 more: b', 'a and 1 more: c']);
});

test('the same files in another order are the same set', () => {
  expect(names(['e/b', 'e/a'], ['e/a', 'e/b', 'e/a'])).toEqual(['e (2 files)', 'e (2 files)']);
});

test('names that are still equal are numbered', () => {
  const folders = ['e/1/a', 'e/2/b'];
  const many = Array.from({ length: 6 }, (_, index) => `e/x${index}`);
  const all = names([...many, 'e/y'], [...many, 'e/z'], folders, ['e/1/b', 'e/2/a']);
  expect(new Set(all).size).toBe(4);
  expect(names(['e/1/a', 'e/2/a'], ['e/3/a', 'e/4/a'])).toEqual([
    'e (2 files): a, a',
    'e (2 files): a, a (2)',
  ]);
});
