import { describe, expect, test } from 'vitest';
import type { Json } from '../../model/json.ts';
import { alignCalls } from './align-calls.ts';
import { alignGroups, placeGroups } from './align-groups.ts';
import { checkLimits } from './call-limits.ts';
import type { TrajectoryMode } from './calls.ts';
import { diffCalls } from './diff-calls.ts';

/** `a` and `b` are worth something when they are the same letter. */
const sides = (expected: string, actual: string, worth = 1) => ({
  expectedCount: expected.length,
  actualCount: actual.length,
  gain: (i: number, j: number): number => (expected[i] === actual[j] ? worth : 0),
});
const brief = (pairs: readonly { readonly expected: number; readonly actual: number }[]) =>
  pairs.map((pair) => `${pair.expected}-${pair.actual}`).join(' ');

test.each([
  ['abc', 'abc', '0-0 1-1 2-2'],
  ['abc', 'cab', '0-1 1-2'],
  ['abc', 'xaxbxc', '0-1 1-3 2-5'],
  ['ab', 'ba', '1-0'],
  ['a', '', ''],
  ['', 'a', ''],
  ['ab', 'cd', ''],
  ['aab', 'ab', '0-0 2-1'],
])('%s in the order of %s', (expected, actual, pairs) => {
  expect(brief(alignCalls(sides(expected, actual)))).toBe(pairs);
});

test('a better total score is preferred to more pairs', () => {
  const gain = (i: number, j: number): number =>
    i === 1 && j === 0 ? 5 : i === 0 && j === 0 ? 1 : i === 1 && j === 1 ? 1 : 0;
  expect(brief(alignCalls({ expectedCount: 2, actualCount: 2, gain }))).toBe('1-0');
});

describe('groups', () => {
  const groups = (...ends: readonly number[]) =>
    ends.map((end, index) => ({ start: ends[index - 1] ?? 0, end }));

  test.each([
    ['abc', 'bac', [2, 3], '0-1 1-0 2-2'],
    ['abc', 'cab', [1, 3], '0-1 1-2'],
    ['abcd', 'badc', [2, 4], '0-1 1-0 2-3 3-2'],
    ['ab', 'xx', [2], ''],
    ['abc', 'xxxcba', [3, 6], '0-5 1-4 2-3'],
  ])('%s follow the order of %s, in any order within a group', (expected, actual, ends, pairs) => {
    expect(brief(alignGroups(sides(expected, actual), groups(...ends)))).toBe(pairs);
  });

  test('keep their positions', () => {
    expect(brief(placeGroups(sides('abcd', 'badc'), groups(2, 4)))).toBe('0-1 1-0 2-3 3-2');
    expect(brief(placeGroups(sides('ab', 'xab'), groups(2, 3)))).toBe('0-1');
    expect(brief(placeGroups(sides('a', 'xxa'), groups(2, 3)))).toBe('');
  });
});

test('limits are claims that say how often a tool was called', () => {
  const calls = ['a', 'a', 'b'].map((tool) => ({ tool }));
  expect(checkLimits(calls, {})).toEqual([]);
  expect(
    checkLimits(calls, {
      minimums: { a: 2, b: 2, c: 1 },
      maximums: { a: 1, b: 1 },
      forbidden: ['b', 'c'],
      maxCalls: 3,
    }),
  ).toEqual([
    { claim: 'a at least 2 times', holds: true, count: 2, isUpper: false },
    { claim: 'b at least 2 times', holds: false, count: 1, isUpper: false },
    { claim: 'c at least once', holds: false, count: 0, isUpper: false },
    { claim: 'a at most once', holds: false, count: 2, isUpper: true },
    { claim: 'b at most once', holds: true, count: 1, isUpper: true },
    { claim: 'b never', holds: false, count: 1, isUpper: true },
    { claim: 'c never', holds: true, count: 0, isUpper: true },
    { claim: 'at most 3 calls in all', holds: true, count: 3, isUpper: true },
  ]);
  expect(checkLimits(calls, { maxCalls: 1 })).toEqual([
    { claim: 'at most 1 call in all', holds: false, count: 3, isUpper: true },
  ]);
});

describe('a call that does not match', () => {
  type Made = readonly [tool: string, input?: Json | undefined, duration?: number];
  function diff(
    mode: TrajectoryMode,
    expected: readonly Made[],
    actual: readonly Made[],
    matched: readonly string[] = [],
    isCounted = false,
  ) {
    const pairs = matched.map((pair) => ({ expected: Number(pair[0]), actual: Number(pair[2]) }));
    const claim = {
      mode,
      isCounted,
      expected: expected.map(([tool, args, maxDurationMs]) => ({
        tool,
        args,
        argsMatch: 'exact' as const,
        maxDurationMs,
      })),
    };
    const found = diffCalls(
      pairs,
      claim,
      actual.map(([tool, input, duration_ms]) => ({ tool, input, duration_ms })),
    );
    const { missing, extra, ...rest } = found;
    const shown = Object.entries(rest).map(([name, each]) => [name, brief(each)] as const);
    return Object.fromEntries(
      [...shown, ['missing', missing.join(' ')], ['extra', extra.join(' ')]].filter(
        ([, text]) => text !== '',
      ),
    );
  }

  test('is missing or extra', () => {
    expect(diff('any_order', [['a'], ['b']], [['c'], ['a']], ['0-1'])).toEqual({
      matched: '0-1',
      missing: '1',
      extra: '0',
    });
    expect(diff('any_order', [['a']], [], [])).toEqual({ missing: '0' });
  });

  test('is out of order', () => {
    expect(diff('in_order', [['a'], ['b']], [['b'], ['a']], ['1-0'])).toEqual({
      matched: '1-0',
      outOfOrder: '0-1',
    });
  });

  test('has other arguments: the closest calls are paired', () => {
    expect(
      diff(
        'any_order',
        [['a', { x: 1, y: 1 }]],
        [
          ['a', { x: 2, y: 2 }],
          ['a', { x: 1, y: 2 }],
        ],
      ),
    ).toEqual({ wrongArguments: '0-1', extra: '0' });
  });

  test('took too long', () => {
    expect(diff('any_order', [['a', undefined, 10]], [['a', undefined, 20]], ['0-0'])).toEqual({
      tooSlow: '0-0',
    });
    expect(diff('any_order', [['a', undefined, 10]], [['a', undefined, 10]], ['0-0'])).toEqual({
      matched: '0-0',
    });
  });

  test('in exact mode, is paired with the other tool in its position', () => {
    expect(diff('exact', [['a'], ['b'], ['c']], [['a'], ['x'], ['c']], ['0-0', '2-2'])).toEqual({
      matched: '0-0 2-2',
      wrongTool: '1-1',
    });
    expect(diff('exact', [['a'], ['b']], [['x'], ['y'], ['z']])).toEqual({ missing: '0 1', extra: '0 1 2' });
    expect(diff('exact', [['a'], ['b'], ['c']], [['c'], ['x']], [])).toEqual({
      outOfOrder: '2-0',
      wrongTool: '1-1',
      missing: '0',
    });
  });

  test('is never missing if it is only allowed, and an allowed call may be repeated', () => {
    expect(diff('subset', [['a', 1], ['b']], [['c'], ['a', 2], ['a', 3]])).toEqual({
      wrongArguments: '0-1 0-2',
      extra: '0',
    });
    expect(
      diff(
        'subset',
        [['a', 1]],
        [
          ['a', 2],
          ['a', 3],
        ],
        [],
        true,
      ),
    ).toEqual({ wrongArguments: '0-0', extra: '1' });
    expect(diff('subset', [['a', undefined, 5]], [['a', undefined, 9]])).toEqual({ tooSlow: '0-0' });
  });
});
