import { expect, test } from 'vitest';
import type { Json } from '../model/json.ts';
import { describeComparison } from './describe-comparison.ts';

const LONG = 'word '.repeat(60);

test.each<[Json, Json | undefined, string]>([
  ['30 days', 'On its way.', 'expected "30 days", got "On its way."'],
  ['a\nb', 'say "x"', String.raw`expected "a\nb", got "say \"x\""`],
  [String.raw`\d+`, 'none', String.raw`expected "\d+", got "none"`],
  ['Ann', undefined, 'expected "Ann", got absent'],
  [['a', 'b'], ['a'], 'expected ["a", "b"], got ["a"]'],
  [1, '1', 'expected 1, got "1"'],
  [{ $gte: 5 }, 4, 'expected at least 5, got 4'],
  [{ $type: 'string' }, 4, 'expected {$type: "string"}, got 4'],
  [
    { $gt: 1 },
    { $gt: 1 },
    'expected more than 1, got {"$gt": 1}; to compare it as data write {$literal: ...}',
  ],
  [
    { output: 'a', tools_used: [], memory: { n: 1, gone: 2 } },
    { output: 'b', tools_used: ['x'], memory: { n: 1, new: 3 } },
    'output: expected "a", got "b"; tools_used: expected [], got ["x"]; memory.gone: expected 2, got absent; and 1 more',
  ],
  // A long value ends with a mark, begins a little before the first difference, or around what must not be there.
  ['x', LONG, `expected "x", got "${LONG.slice(0, 100)}…"`],
  [`${LONG}one`, `${LONG}two`, `expected "…${LONG.slice(-20)}one", got "…${LONG.slice(-20)}two"`],
  [
    { $not: { $contains: 'sorry' } },
    `${LONG}sorry, no`,
    `expected not containing "sorry", got "…${LONG.slice(-20)}sorry, no"`,
  ],
  // Neither half an emoji nor half an escape.
  ['x', `${'a'.repeat(99)}😀b`, `expected "x", got "${'a'.repeat(99)}…"`],
  ['x', `${'a'.repeat(99)}\nb`, `expected "x", got "${'a'.repeat(99)}…"`],
])('%j against %j', (expected, actual, line) => {
  expect(describeComparison(expected, actual)).toBe(line);
});
