import { expect, test } from 'vitest';
import { jsPatternShape } from './js-pattern-shape.ts';

test.each([
  // pattern, flags, exponential, free ends, ways of what is bounded
  ['abc', '', false, 0, 1],
  // What ends the pattern is never tried again.
  ['a+', '', false, 0, 1],
  ['a+b', '', false, 1, 1],
  ['a+$', '', false, 1, 1],
  ['a*a', '', false, 1, 1],
  ['.*x', '', false, 1, 1],
  ['.*.*x', '', false, 2, 1],
  ['(.*)(.*)x', '', false, 2, 1],
  ['\\w+\\s+x', '', false, 2, 1],
  ['(.*a){3}x', '', false, 3, 1],
  ['(?=.*a).*b', '', false, 2, 1],
  ['(?<n>.+)\\k<n>', '', false, 1, 1],
  ['a+?b', '', false, 1, 1],
  ['a{1,}b', '', false, 1, 1],
  ['A+a', 'i', false, 1, 1],
  // A repetition of what can be read in several ways.
  ['(a+)+', '', true, 1, 1],
  ['(a|a)*c', '', true, 1, 2],
  ['(ab|ac)*d', '', true, 1, 2],
  ['(a|b)+c', '', false, 1, 2],
  ['x|y|z', '', false, 0, 3],
  ['(x|y)z', '', false, 0, 2],
  // Bounded ones.
  ['a{3}', '', false, 0, 1],
  ['a{2,5}b', '', false, 0, 1],
  ['.{2,5}b', '', false, 0, 4],
  ['(.{1,2}){3}x', '', false, 0, 8],
  ['(?:a{1,3}a){2}x', '', false, 0, 9],
  ['a?a?aaa', '', false, 0, 4],
  ['.{0,16}b', '', false, 0, 17],
  ['.{0,17}b', '', false, 1, 1],
  // Classes.
  ['[a-z]+\\d', '', false, 1, 1],
  ['[\\]a]+b', '', false, 1, 1],
  ['[[a]b]+c', 'v', false, 1, 1],
  ['[[a]{2,3}b', '', false, 0, 1],
])('%s %s', (pattern, flags, isExponential, degree, factor) => {
  expect(new RegExp(pattern, flags)).toBeDefined();
  expect(jsPatternShape(pattern, flags)).toEqual({ isExponential, degree, factor });
});
