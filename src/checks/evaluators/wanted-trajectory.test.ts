import { describe, expect, test } from 'vitest';
import type { ArgsMatch } from '../../base/match/trajectory/calls.ts';
import type { Json } from '../../base/model/json.ts';
import type { TrajectoryParameters } from './trajectory-parameters.ts';
import { MOST_CALLS, wantedTrajectory } from './wanted-trajectory.ts';

function wanted(parameters: Partial<TrajectoryParameters>, tools?: readonly string[]) {
  const expected = tools?.map((tool) => ({ tool, argsMatch: 'partial' as const }));
  return wantedTrajectory({ isCounted: false, isParallel: false, expected, ...parameters });
}

describe('the calls that satisfy a trajectory', () => {
  test('are in order if the mode requires it', () => {
    for (const mode of ['exact', 'in_order'] as const)
      expect(wanted({ mode }, ['a', 'b']).calls).toEqual([
        { tool: 'a', isOrdered: true },
        { tool: 'b', isOrdered: true },
      ]);
    expect(wanted({ mode: 'any_order' }, ['a']).calls).toEqual([{ tool: 'a', isOrdered: false }]);
  });

  test('meet the minimums, in addition to the listed calls', () => {
    const tools = wanted({ minimums: { a: 3, b: 1, c: 1 } }, ['a', 'b']).calls?.map(({ tool }) => tool);
    expect(tools).toEqual(['a', 'b', 'a', 'a', 'c']);
    expect(wanted({ minimums: { a: 1e9 } }).calls).toHaveLength(MOST_CALLS);
  });

  test.each<[ArgsMatch, Json | undefined, object]>([
    ['partial', { x: 1 }, { input: { x: 1 }, isExact: false, isDeep: false, isMost: false }],
    ['exact', { x: 1 }, { input: { x: 1 }, isExact: true, isDeep: false, isMost: false }],
    ['deep_partial', { x: 1 }, { input: { x: 1 }, isExact: false, isDeep: true, isMost: false }],
    ['subset', { x: 1 }, { input: { x: 1 }, isExact: false, isDeep: false, isMost: true }],
    ['ignore', { x: 1 }, {}],
    ['exact', undefined, {}],
    [['x'], { x: 1, y: 2 }, { input: { x: 1 }, isDeep: true }],
    [['x.y', 'x.z'], { x: { y: 1, z: 2, w: 3 }, v: 4 }, { input: { x: { y: 1, z: 2 } }, isDeep: true }],
    [
      ['x.y.z', 'x.w'],
      { x: { y: { z: 1, v: 5 }, w: 2 } },
      { input: { x: { y: { z: 1 }, w: 2 } }, isDeep: true },
    ],
    // A list is kept whole when one of its items is compared.
    [['x[1].y'], { x: [{ y: 1 }, { y: 2 }], z: 1 }, { input: { x: [{ y: 1 }, { y: 2 }] }, isDeep: true }],
    [['missing'], { x: 1 }, { input: {}, isDeep: true }],
    [['[0]'], { x: 1 }, { input: {}, isDeep: true }],
    [['__proto__.x', 'y'], { y: 1 }, { input: { y: 1 }, isDeep: true }],
  ])('with arguments compared by %j: %j', (argsMatch, args, call) => {
    expect(wanted({ expected: [{ tool: 'a', args, argsMatch }] }).calls).toEqual([
      { tool: 'a', isOrdered: false, ...call },
    ]);
  });
});

describe('the rule for names', () => {
  test.each<[Partial<TrajectoryParameters>, readonly string[] | undefined, object]>([
    [
      { mode: 'exact' },
      ['a', 'b', 'a'],
      {
        sequence: ['a', 'b', 'a'],
        least: { a: 2, b: 1 },
        most: { a: 2, b: 1 },
        most_in_all: 3,
        only: ['a', 'b', 'a'],
      },
    ],
    [{ mode: 'in_order' }, ['a', 'b'], { order: ['a', 'b'], least: { a: 1, b: 1 }, most: {} }],
    [{ mode: 'any_order' }, ['a'], { least: { a: 1 }, most: {} }],
    [
      { mode: 'unordered' },
      ['a', 'a'],
      { least: { a: 2 }, most: { a: 2 }, most_in_all: 2, only: ['a', 'a'] },
    ],
    [{ mode: 'subset' }, ['a', 'b'], { least: {}, most: {}, only: ['a', 'b'] }],
    [
      { mode: 'subset', isCounted: true },
      ['a', 'b'],
      { least: {}, most: { a: 1, b: 1 }, most_in_all: 2, only: ['a', 'b'] },
    ],
    [
      { mode: 'exact', maxCalls: 1 },
      ['a', 'b'],
      { sequence: ['a', 'b'], least: { a: 1, b: 1 }, most: { a: 1, b: 1 }, most_in_all: 1, only: ['a', 'b'] },
    ],
    [
      { mode: 'exact', maxCalls: 9 },
      ['a'],
      { sequence: ['a'], least: { a: 1 }, most: { a: 1 }, most_in_all: 1, only: ['a'] },
    ],
    [{ mode: 'any_order', maxCalls: 9 }, ['a'], { least: { a: 1 }, most: {}, most_in_all: 9 }],
    [
      { minimums: { a: 2, b: 1 }, maximums: { a: 3, c: 4 }, forbidden: ['c', 'd'] },
      ['a', 'b', 'b'],
      { least: { a: 2, b: 2 }, most: { a: 3, c: 0, d: 0 } },
    ],
    [{ minimums: { toString: 1 } }, undefined, { least: { toString: 1 }, most: {} }],
  ])('%j of %j', (parameters, tools, rule) => {
    const { call_rule, tools_used } = wanted(parameters, tools);
    const { calls: _, ...names } = call_rule!;
    const known = Object.fromEntries(Object.entries(names).filter(([, value]) => value !== undefined));
    expect(known).toEqual(rule);
    expect(tools_used).toEqual('sequence' in rule ? rule.sequence : undefined);
  });

  test('has no order if calls of one message may come in any order', () => {
    expect(wanted({ mode: 'exact', isParallel: true }, ['a', 'b'])).toMatchObject({
      tools_used: ['a', 'b'],
      call_rule: { sequence: undefined, order: undefined, calls: [{ tool: 'a' }, { tool: 'b' }] },
    });
    expect(wanted({ mode: 'in_order', isParallel: true }, ['a']).call_rule?.order).toBeUndefined();
  });

  test('requires no calls that are only allowed', () => {
    expect(wanted({ mode: 'subset' }, ['a']).call_rule?.calls).toBeUndefined();
    expect(wanted({ mode: 'any_order' }, ['a']).call_rule?.calls).toHaveLength(1);
  });
});

test('it is broken by a forbidden call, by one call over a maximum, and by one call over the total', () => {
  const broken = wanted({ forbidden: ['x'], maximums: { a: 1, b: 0 }, maxCalls: 2 }).unwanted;
  expect(broken?.map(({ calls }) => calls?.map(({ tool }) => tool))).toEqual([
    ['x'],
    ['a', 'a'],
    ['b'],
    ['another_tool', 'another_tool', 'another_tool'],
  ]);
  expect(wanted({}).unwanted).toEqual([]);
  expect(wanted({ maximums: { a: 1e9 } }).unwanted?.[0]?.calls).toHaveLength(MOST_CALLS);
});
