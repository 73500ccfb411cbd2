import { expect, test } from 'vitest';
import { expectedWords } from './expected-words.ts';

test.each([
  [{ $not: { $contains: 'sorry' } }, 'not containing "sorry"'],
  [{ $not: { $contains: { $oneOf: ['a', 'b'] } } }, 'not containing one of "a", "b"'],
  [{ $not: { $regex: '^x' } }, 'not matching the pattern "^x"'],
  [{ $not: 'said' }, 'not "said"'],
  [{ $gte: 2, $lt: 5 }, 'at least 2 and less than 5'],
  [{ $length: { $gte: 1 } }, 'of length at least 1'],
  // Data, and matchers that say more as they are written.
  [{ $not: 1, other: 2 }, undefined],
  [{ $partial: { a: 1 } }, undefined],
  [{}, undefined],
  [[{ $not: 1 }], undefined],
  ['$not', undefined],
])('%j is %j', (expected, words) => {
  expect(expectedWords(expected)).toBe(words);
});
