import { describe, expect, test } from 'vitest';
import type { CallRule, MemoryRule } from '../../../base/model/reply-requirements.ts';
import { findCore } from './find-core.ts';
import { areImpossibleCalls, areImpossibleOverSteps } from './impossible-calls.ts';
import { isImpossibleMemory } from './impossible-memory.ts';

describe('the smallest set of assertions that contradict each other', () => {
  /** Numbers that may not come to more than ten. */
  const core = (...items: readonly number[]) =>
    findCore(items, (some) => some.reduce((sum, item) => sum + item, 0) > 10);

  test('one assertion is tried alone, then pairs, then the smallest possible set', () => {
    expect(core()).toBeUndefined();
    expect(core(1, 2, 3)).toBeUndefined();
    expect(core(6, 11, 12)).toEqual([11]);
    expect(core(3, 6, 5)).toEqual([6, 5]);
    expect(core(6, 1, 7, 9)).toEqual([6, 7]);
    expect(core(1, 4, 4, 4)).toEqual([4, 4, 4]);
    expect(core(5, 6)).toEqual([5, 6]);
  });

  test('pairs are searched only among the first twenty', () => {
    const small = Array.from({ length: 19 }, () => 0);
    expect(core(6, ...small, 6)).toEqual([6, 6]);
    let asked = 0;
    findCore(
      Array.from({ length: 30 }, (_, index) => index),
      () => {
        asked++;
        return false;
      },
    );
    expect(asked).toBe(30 + (20 * 19) / 2 + 1);
  });
});

describe('calls', () => {
  test.each<[string, readonly CallRule[], boolean]>([
    ['nothing', [], false],
    ['as often as is allowed', [{ least: { a: 2 } }, { most: { a: 2 } }], false],
    ['more often than is allowed', [{ least: { a: 2 } }, { most: { a: 1 } }], true],
    ['at most so many in all', [{ least: { a: 1, b: 1 } }, { most_in_all: 2 }], false],
    ['more than so many in all', [{ least: { a: 1, b: 2 } }, { most_in_all: 2 }], true],
    ['none but these', [{ least: { a: 1 } }, { only: ['a', 'b'] }], false],
    ['another than these', [{ least: { c: 1 } }, { only: ['a', 'b'] }], true],
    ['another than these, no times', [{ least: { c: 0 } }, { only: ['a'] }], false],
    ['two sequences', [{ sequence: ['a', 'b'] }, { sequence: ['b', 'a'] }], true],
    ['the same sequence', [{ sequence: ['a', 'b'] }, { sequence: ['a', 'b'] }], false],
    ['a longer sequence', [{ sequence: ['a', 'b'] }, { sequence: ['a', 'b', 'c'] }], true],
    ['a sequence and an order', [{ sequence: ['a', 'x', 'b'] }, { order: ['a', 'b'] }], false],
    ['a sequence in another order', [{ sequence: ['b', 'a'] }, { order: ['a', 'b'] }], true],
    ['a sequence with too few', [{ sequence: ['a', 'b'] }, { least: { a: 2 } }], true],
    ['a sequence with enough', [{ sequence: ['a', 'b', 'a'] }, { least: { a: 2 } }], false],
    ['a sequence with too many of one', [{ sequence: ['a', 'a'] }, { most: { a: 1 } }], true],
    ['a sequence with too many', [{ sequence: ['a', 'b'] }, { most_in_all: 1 }], true],
    [
      'a sequence of as many as allowed',
      [{ sequence: ['a', 'b'] }, { most_in_all: 2, most: { a: 1 } }],
      false,
    ],
    ['a sequence with another tool', [{ sequence: ['a', 'b'] }, { only: ['a'] }], true],
    [
      'calls that can be one',
      [
        { calls: [{ tool: 'a', input: { x: 1 } }] },
        { calls: [{ tool: 'a', input: { y: 1 } }] },
        { most: { a: 1 } },
      ],
      false,
    ],
    [
      'calls that cannot be one',
      [
        { calls: [{ tool: 'a', input: { x: 1 } }] },
        { calls: [{ tool: 'a', input: { x: 2 } }] },
        { most: { a: 1 } },
      ],
      true,
    ],
    ['calls of two tools', [{ calls: [{ tool: 'a' }, { tool: 'b' }] }, { most_in_all: 1 }], true],
    [
      'a sequence with too few for different calls',
      [
        { sequence: ['a'] },
        {
          calls: [
            { tool: 'a', input: { x: 1 } },
            { tool: 'a', input: { x: 2 } },
          ],
        },
      ],
      true,
    ],
  ])('%s', (_, rules, isImpossible) => {
    expect(areImpossibleCalls(rules)).toBe(isImpossible);
    expect(areImpossibleCalls(rules.toReversed())).toBe(isImpossible);
  });

  test.each<[string, readonly CallRule[], readonly (readonly CallRule[])[], boolean]>([
    [
      'as many in the steps as in the whole',
      [{ most: { a: 2 } }],
      [[{ least: { a: 1 } }], [{ least: { a: 1 } }]],
      false,
    ],
    [
      'more in the steps than in the whole',
      [{ most: { a: 1 } }],
      [[{ least: { a: 1 } }], [{ least: { a: 1 } }]],
      true,
    ],
    [
      'more in the whole than it allows',
      [{ least: { a: 3 }, most_in_all: 2 }],
      [[{ least: { a: 1 } }], []],
      true,
    ],
    [
      'as many in the whole as it allows',
      [{ least: { a: 2 }, most_in_all: 2 }],
      [[{ least: { a: 1 } }], []],
      false,
    ],
    [
      'sequences that make the whole',
      [{ sequence: ['a', 'b'] }],
      [[{ sequence: ['a'] }], [{ sequence: ['b'] }]],
      false,
    ],
    [
      'sequences that do not',
      [{ sequence: ['b', 'a'] }],
      [[{ sequence: ['a'] }], [{ sequence: ['b'] }]],
      true,
    ],
    [
      'no tools in any step, and one in the whole',
      [{ least: { a: 1 } }],
      [[{ sequence: [] }], [{ sequence: [] }]],
      true,
    ],
    ['a sequence in one step only', [{ least: { a: 1 } }], [[{ sequence: [] }], []], false],
  ])('%s', (_, whole, steps, isImpossible) => {
    expect(areImpossibleOverSteps(whole, steps)).toBe(isImpossible);
  });
});

describe('memory', () => {
  const rule = (path: string | undefined, says: MemoryRule['says'], negate?: boolean): MemoryRule => ({
    path,
    says,
    negate,
  });

  test.each<[string, readonly MemoryRule[], boolean]>([
    ['nothing', [], false],
    ['one value', [rule('a', { equals: 1 })], false],
    ['two values', [rule('a', { equals: 1 }), rule('a', { equals: 2 })], true],
    ['the same value twice', [rule('a', { equals: [1] }), rule('a', { equals: [1] })], false],
    ['two values of two places', [rule('a', { equals: 1 }), rule('b', { equals: 2 })], false],
    ['places that begin alike', [rule('a', { equals: 1 }), rule('ab', { equals: 2 })], false],
    ['a value and its negation', [rule('a', { equals: 1 }), rule('a', { equals: 1 }, true)], true],
    [
      'a value and the negation of another',
      [rule('a', { equals: 1 }), rule('a', { equals: 2 }, true)],
      false,
    ],
    ['two negations', [rule('a', { equals: 1 }, true), rule('a', { equals: 2 }, true)], false],
    ['there and not there', [rule('a', { exists: true }), rule('a', { exists: false })], true],
    [
      'there and not there, by negation',
      [rule('a', { exists: true }), rule('a', { exists: true }, true)],
      true,
    ],
    ['there, said twice', [rule('a', { exists: true }), rule('a', { exists: false }, true)], false],
    ['inside of what is not there', [rule('a', { exists: false }), rule('a.b', { equals: 1 })], true],
    [
      'null inside of what is not there',
      [rule('a', { exists: false }), rule('a.b', { equals: null })],
      false,
    ],
    ['a value with it inside', [rule('a', { equals: { b: { c: 1 } } }), rule('a.b.c', { equals: 1 })], false],
    ['a value with another inside', [rule('a', { equals: { b: 1 } }), rule('a.b', { equals: 2 })], true],
    ['a value with nothing inside', [rule('a', { equals: 1 }), rule('a.b', { exists: true })], true],
    ['null and there', [rule('a', { equals: null }), rule('a', { exists: true })], false],
    ['null and something inside', [rule('a', { equals: null }), rule('a.b', { exists: true })], true],
    [
      'the whole and one of its values',
      [rule(undefined, { equals: { a: 1 } }), rule('a', { equals: 1 })],
      false,
    ],
    ['the whole and another value', [rule(undefined, { equals: { a: 1 } }), rule('b', { equals: 1 })], true],
    ['a value that matches', [rule('a', { equals: 'x1' }), rule('a', { matches: '\\d' })], false],
    ['a value that does not match', [rule('a', { equals: 'x' }), rule('a', { matches: '\\d' })], true],
    ['a value that must not match', [rule('a', { equals: 'x1' }), rule('a', { matches: '\\d' }, true)], true],
    ['a number that should match', [rule('a', { equals: 1 }), rule('a', { matches: '1' })], true],
    ['a text with something inside', [rule('a', { matches: 'x' }), rule('a.b', { exists: true })], true],
    ['a text with nothing inside', [rule('a', { matches: 'x' }), rule('a.b', { exists: false })], false],
    [
      'patterns that exclude each other',
      [rule('a', { matches: '^x$' }), rule('a', { matches: '^y$' })],
      true,
    ],
    ['patterns of two places', [rule('a', { matches: '^x$' }), rule('b', { matches: '^y$' })], false],
    ['a pattern and its negation', [rule('a', { matches: 'x' }), rule('a', { matches: 'x' }, true)], true],
    ['a pattern for nothing', [rule('a', { matches: '(?!)' })], true],
    ['a negated pattern for nothing', [rule('a', { matches: '(?!)' }, true)], false],
    ['a matcher and a value it accepts', [rule('a', { fits: { $gte: 5 } }), rule('a', { equals: 5 })], false],
    ['a matcher and a value it refuses', [rule('a', { fits: { $gte: 5 } }), rule('a', { equals: 4 })], true],
    ['a matcher and null', [rule('a', { fits: { $gte: 5 } }), rule('a', { equals: null })], true],
    [
      'what must be absent, and null',
      [rule('a', { fits: { $absent: true } }), rule('a', { equals: null })],
      false,
    ],
    [
      'what must be absent, and there',
      [rule('a', { fits: { $absent: true } }), rule('a', { exists: true })],
      false,
    ],
    ['a number with something in it', [rule('a', { fits: { $gte: 5 } }), rule('a.b', { equals: 3 })], true],
    ['a matcher inside', [rule('a', { fits: { b: { $gte: 5 } } }), rule('a.b', { equals: 6 })], false],
    [
      'a matcher inside that refuses',
      [rule('a', { fits: { b: { $gte: 5 } } }), rule('a.b', { equals: 3 })],
      true,
    ],
    [
      'a key that the object does not have',
      [rule('a', { fits: { b: { $any: true } } }), rule('a.c', { equals: 3 })],
      true,
    ],
    [
      'part of an object',
      [rule('a', { fits: { $partial: { b: { $any: true } } } }), rule('a.c', { equals: 3 })],
      false,
    ],
    ['two matchers', [rule('a', { fits: { $gte: 5 } }), rule('a', { fits: { $lt: 5 } })], false],
    [
      'a matcher that must not hold',
      [rule('a', { fits: { $gte: 5 } }, true), rule('a', { equals: 6 })],
      true,
    ],
  ])('%s', (_, rules, isImpossible) => {
    expect(isImpossibleMemory(rules)).toBe(isImpossible);
    expect(isImpossibleMemory(rules.toReversed())).toBe(isImpossible);
  });
});
