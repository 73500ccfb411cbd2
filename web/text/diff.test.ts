import { array, assert, constantFrom, property } from '../../test/seeded-fast-check.ts';
import { expect, test } from 'vitest';
import { diffSequences, type DiffPart } from '../../src/base/match/diff-sequences.ts';
import { diffLines, diffWords, similarity } from './diff.ts';

const side = (parts: readonly DiffPart[], kind: 'removed' | 'added'): readonly string[] =>
  parts.filter((part) => part.kind === 'same' || part.kind === kind).flatMap(({ items }) => items);

test('the two sides of a diff are the two sequences, and every diff is minimal', () => {
  const letters = array(constantFrom('a', 'b', 'c'), { maxLength: 14 });
  assert(
    property(letters, letters, (before, after) => {
      const parts = diffSequences(before, after);
      expect(side(parts, 'removed')).toEqual(before);
      expect(side(parts, 'added')).toEqual(after);
      const same = parts.filter(({ kind }) => kind === 'same').flatMap(({ items }) => items).length;
      expect(same).toBe(commonLength(before, after));
    }),
  );
});

test('sequences that differ too much are quickly shown as all removed and all added', () => {
  const before = Array.from({ length: 20_000 }, (_, index) => `before ${index}`);
  const after = Array.from({ length: 20_000 }, (_, index) => `after ${index}`);
  expect(diffSequences(before, after).map(({ kind }) => kind)).toEqual(['removed', 'added']);
});

test('words and lines are compared', () => {
  expect(diffWords('paid 90 GBP', 'paid 120 GBP')).toEqual([
    { kind: 'same', items: ['paid', ' '] },
    { kind: 'removed', items: ['90'] },
    { kind: 'added', items: ['120'] },
    { kind: 'same', items: [' ', 'GBP'] },
  ]);
  expect(diffLines('a\nb', 'a\nc').map(({ kind }) => kind)).toEqual(['same', 'removed', 'added']);
  expect(similarity(diffWords('one', 'two'))).toBe(0);
  expect(similarity(diffWords('same', 'same'))).toBe(1);
});

/** The longest common subsequence, the slow and obvious way. */
function commonLength(a: readonly string[], b: readonly string[]): number {
  const table = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0));
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      table[i]![j] =
        a[i - 1] === b[j - 1] ? table[i - 1]![j - 1]! + 1 : Math.max(table[i - 1]![j]!, table[i]![j - 1]!);
    }
  }
  return table[a.length]![b.length]!;
}
