import * as fc from '../../../test/seeded-fast-check.ts';
import { expect, test } from 'vitest';
import { createColumnCounter } from './columns.ts';
import { createLineIndex } from './line-index.ts';

const text = fc
  .array(fc.constantFrom('a', 'é', '😀', '\ud83d', '\ude00', '\n', 'x'.repeat(250)), { maxLength: 30 })
  .map((parts) => parts.join(''));

test('counts code points as the string iterator does', () => {
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(), (words, one, other) => {
      const [start, end] = [one % (words.length + 1), other % (words.length + 1)].toSorted(
        (a, b) => a - b,
      ) as [number, number];
      fc.pre(!isInsidePair(words, start) && !isInsidePair(words, end));
      expect(createColumnCounter(words).between(start, end)).toBe(Array.from(words.slice(start, end)).length);
    }),
    { numRuns: 500 },
  );
});

const at = (words: string, offset: number) => Object.values(createLineIndex(words).at(offset));

test('lines end at LF, CRLF and CR', () => {
  expect(at('a\nb', 2)).toEqual([2, 1]);
  expect(at('a\r\nb', 3)).toEqual([2, 1]);
  expect(at('a\rb', 2)).toEqual([2, 1]);
  expect(at('a\n\r\n\rb', 5)).toEqual([4, 1]);
  expect(at('ab', 2)).toEqual([1, 3]);
});

function isInsidePair(words: string, offset: number): boolean {
  return offset > 0 && words.codePointAt(offset - 1)! > 0xffff;
}
