import * as fc from '../seeded-fast-check.ts';
import { describe, expect, it } from 'vitest';
import type { CallGroup } from '../../src/base/match/trajectory/align-groups.ts';
import type { ArgsMatch, ExpectedCall, Pair, TrajectoryMode } from '../../src/base/match/trajectory/calls.ts';
import { compareCall } from '../../src/base/match/trajectory/compare-call.ts';
import { compareTrajectory } from '../../src/base/match/trajectory/compare-trajectory.ts';
import type { RecordedToolCall } from '../../src/base/model/reply.ts';

const MODES: readonly TrajectoryMode[] = ['exact', 'in_order', 'any_order', 'unordered', 'subset'];

/** Few tools and few arguments, so that calls fit several expected ones: there greedy matching goes wrong. */
const tool = fc.constantFrom('a', 'b', '__proto__');
const args = fc.constantFrom(
  {},
  { x: 1 },
  { y: 2 },
  { x: 1, y: 2 },
  { x: 2 },
  { x: { z: 1 } },
  { x: { z: 1, w: 2 } },
);
const argsMatch = fc.constantFrom<ArgsMatch>(
  'exact',
  'partial',
  'deep_partial',
  'subset',
  'ignore',
  ['x'],
  ['x.z', 'y'],
);

const expectedCall: fc.Arbitrary<ExpectedCall> = fc.record({
  tool,
  args: fc.option(args, { nil: undefined, freq: 2 }),
  argsMatch,
  maxDurationMs: fc.option(fc.constantFrom(5, 15), { nil: undefined, freq: 2 }),
});
const actualCall: fc.Arbitrary<RecordedToolCall> = fc.record({
  tool,
  input: fc.option(args, { nil: undefined }),
  duration_ms: fc.option(fc.constantFrom(5, 10, 20), { nil: undefined, freq: 2 }),
});
const expectedCalls = fc.array(expectedCall, { maxLength: 5 });
const actualCalls = fc.array(actualCall, { maxLength: 5 });
const mode = fc.constantFrom(...MODES);
/** How many of the calls each message holds, over and over. */
const groupSizes = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 });
const RUNS = { numRuns: 1500 };

function score(
  kind: TrajectoryMode,
  expected: readonly ExpectedCall[],
  actual: readonly RecordedToolCall[],
): number {
  return compareTrajectory(actual, { mode: kind, expected }).score;
}

function fits(expected: ExpectedCall, actual: RecordedToolCall): boolean {
  return compareCall(expected, actual) === 'match';
}

function groupsOf(sizes: readonly number[], count: number): readonly CallGroup[] {
  const groups: CallGroup[] = [];
  for (let start = 0; start < count; start = groups.at(-1)!.end)
    groups.push({ start, end: Math.min(count, start + sizes[groups.length % sizes.length]!) });
  return groups;
}

interface Lists {
  readonly expected: readonly ExpectedCall[];
  readonly actual: readonly RecordedToolCall[];
  readonly groups?: readonly CallGroup[] | undefined;
}

/** Whether a mode lets two calls be one, beside the pairs before them: those of expected calls with smaller places. */
const ALLOWS: Readonly<
  Record<
    Exclude<TrajectoryMode, 'subset'>,
    (pair: Pair, before: readonly Pair[], groupOf: (actual: number) => CallGroup) => boolean
  >
> = {
  exact: ({ expected, actual }, _before, groupOf) =>
    groupOf(actual).start <= expected && expected < groupOf(actual).end,
  in_order: ({ actual }, before, groupOf) =>
    before.every((pair) => groupOf(pair.actual).start <= groupOf(actual).start),
  any_order: () => true,
  unordered: () => true,
};

/** What each of all matchings that the mode allows is worth: its pairs, minus its slow calls, quick calls, calls of no duration. */
function* allMatchings(
  kind: Exclude<TrajectoryMode, 'subset'>,
  lists: Lists,
  before: readonly Pair[] = [],
  next = 0,
): Generator<readonly number[]> {
  const { expected, actual, groups } = lists;
  if (next === expected.length) {
    yield worthOf(before, lists);
    return;
  }
  yield* allMatchings(kind, lists, before, next + 1);
  const groupOf = (index: number): CallGroup =>
    groups?.find(({ start, end }) => start <= index && index < end) ?? { start: index, end: index + 1 };
  for (const [index, call] of actual.entries()) {
    const pair = { expected: next, actual: index };
    const comparison = compareCall(expected[next]!, call);
    if (comparison !== 'match' && comparison !== 'too_slow') continue;
    if (before.some((other) => other.actual === index) || !ALLOWS[kind](pair, before, groupOf)) continue;
    yield* allMatchings(kind, lists, [...before, pair], next + 1);
  }
}

function worthOf(pairs: readonly Pair[], { expected, actual }: Lists): readonly number[] {
  const limited = pairs.filter((pair) => expected[pair.expected]!.maxDurationMs !== undefined);
  const slow = limited.filter((pair) => !fits(expected[pair.expected]!, actual[pair.actual]!)).length;
  const unknown = limited.filter((pair) => actual[pair.actual]!.duration_ms === undefined).length;
  return [pairs.length, -slow, limited.length - slow - unknown, unknown];
}

/** The score of the best of all matchings: claims that hold by claims, of calls and of durations that are known. */
function bestScore(kind: Exclude<TrajectoryMode, 'subset'>, lists: Lists): number {
  const { expected } = lists;
  const [best] = [...allMatchings(kind, lists)].toSorted((a, b) => {
    const at = a.findIndex((value, index) => value !== b[index]);
    return at === -1 ? 0 : b[at]! - a[at]!;
  });
  const [pairs, , quick, unknown] = best as [number, number, number, number];
  const limits = expected.filter(({ maxDurationMs }) => maxDurationMs !== undefined).length;
  return expected.length === 0 ? 1 : (pairs + quick) / (expected.length + limits - unknown);
}

/** The most pairs of any matching, by trying all of them. */
function mostPairs(
  expected: readonly ExpectedCall[],
  actual: readonly RecordedToolCall[],
  inOrder: boolean,
): number {
  const [first, ...rest] = expected;
  if (first === undefined) return 0;
  let most = mostPairs(rest, actual, inOrder);
  for (const [index, call] of actual.entries()) {
    if (!fits(first, call)) continue;
    const left = inOrder ? actual.slice(index + 1) : actual.toSpliced(index, 1);
    most = Math.max(most, 1 + mostPairs(rest, left, inOrder));
  }
  return most;
}

/** What each mode claims, in words of its own. */
const CLAIMS: Readonly<
  Record<TrajectoryMode, (expected: readonly ExpectedCall[], actual: readonly RecordedToolCall[]) => boolean>
> = {
  exact: (expected, actual) =>
    expected.length === actual.length && expected.every((call, index) => fits(call, actual[index]!)),
  in_order: (expected, actual) => mostPairs(expected, actual, true) === expected.length,
  any_order: (expected, actual) => mostPairs(expected, actual, false) === expected.length,
  unordered: (expected, actual) =>
    expected.length === actual.length && mostPairs(expected, actual, false) === expected.length,
  subset: (expected, actual) => actual.every((call) => expected.some((one) => fits(one, call))),
};

describe('tool_trajectory with any calls', () => {
  it("scores 1 exactly if the mode's claim holds", () => {
    fc.assert(
      fc.property(mode, expectedCalls, actualCalls, (kind, expected, actual) => {
        expect(score(kind, expected, actual) === 1).toBe(CLAIMS[kind](expected, actual));
      }),
      RUNS,
    );
  });

  it('scores the best of all matchings', () => {
    const kinds = fc.constantFrom('exact', 'in_order', 'any_order', 'unordered');
    fc.assert(
      fc.property(kinds, expectedCalls, actualCalls, (kind, expected, actual) => {
        const { score: reached, diff } = compareTrajectory(actual, { mode: kind, expected });
        const isVoid = (kind === 'exact' || kind === 'unordered') && diff!.extra.length > 0;
        expect(reached).toBeCloseTo(isVoid ? 0 : bestScore(kind, { expected, actual }), 12);
      }),
      RUNS,
    );
  });

  it('scores the best of all matchings if the calls of a message may come in any order', () => {
    const kinds = fc.constantFrom('exact', 'in_order');
    fc.assert(
      fc.property(kinds, expectedCalls, actualCalls, groupSizes, (kind, expected, actual, sizes) => {
        const groups = groupsOf(sizes, actual.length);
        const { score: reached } = compareTrajectory(actual, { mode: kind, expected, groups });
        const isVoid = kind === 'exact' && actual.length > expected.length;
        expect(reached).toBeCloseTo(isVoid ? 0 : bestScore(kind, { expected, actual, groups }), 12);
        // Messages of one call each are an order, and one message of all calls is none.
        const each = groupsOf([1], actual.length);
        expect(compareTrajectory(actual, { mode: kind, expected, groups: each }).score).toBe(
          score(kind, expected, actual),
        );
        const one = [{ start: 0, end: actual.length }];
        if (kind === 'in_order')
          expect(compareTrajectory(actual, { mode: kind, expected, groups: one }).score).toBe(
            score('any_order', expected, actual),
          );
      }),
      RUNS,
    );
  });

  it('counts the calls of subset when asked', () => {
    fc.assert(
      fc.property(expectedCalls, actualCalls, (expected, actual) => {
        const { score: reached, diff } = compareTrajectory(actual, {
          mode: 'subset',
          expected,
          isCounted: true,
        });
        const most = mostPairs(expected, actual, false);
        expect(reached).toBe(actual.length === 0 ? 1 : most / actual.length);
        expect(diff!.matched).toHaveLength(most);
        expect(reached).toBeLessThanOrEqual(score('subset', expected, actual));
      }),
      RUNS,
    );
  });

  it('does not depend on order in modes without order', () => {
    const unorderedModes = fc.constantFrom<TrajectoryMode>('any_order', 'unordered', 'subset');
    fc.assert(
      fc.property(
        unorderedModes,
        expectedCalls,
        actualCalls,
        fc.infiniteStream(fc.nat()),
        (kind, expected, actual, chance) => {
          const before = score(kind, expected, actual);
          expect(score(kind, shuffle(expected, chance), shuffle(actual, chance))).toBe(before);
        },
      ),
      RUNS,
    );
  });

  it('treats equal calls alike', () => {
    fc.assert(
      fc.property(mode, expectedCalls, actualCalls, fc.nat(), (kind, expected, actual, at) => {
        if (actual.length === 0) return;
        // Two equal calls side by side, then changed for one another.
        const index = at % actual.length;
        const twin = { ...actual[index]! };
        const doubled = actual.toSpliced(index, 0, twin);
        const swapped = doubled.with(index, doubled[index + 1]!).with(index + 1, twin);
        expect(score(kind, expected, swapped)).toBe(score(kind, expected, doubled));
      }),
      RUNS,
    );
  });

  it('never scores lower in any_order after one more expected call is made', () => {
    fc.assert(
      fc.property(
        fc.array(expectedCall, { minLength: 1, maxLength: 5 }),
        actualCalls,
        fc.nat(),
        (expected, actual, at) => {
          const { tool: name, args: input } = expected[at % expected.length]!;
          const more = actual.toSpliced(at % (actual.length + 1), 0, {
            tool: name,
            ...(input === undefined ? {} : { input }),
          });
          expect(score('any_order', expected, more)).toBeGreaterThanOrEqual(
            score('any_order', expected, actual),
          );
        },
      ),
      RUNS,
    );
  });

  it('puts every call in the diff exactly once', () => {
    fc.assert(
      fc.property(mode, expectedCalls, actualCalls, (kind, expected, actual) => {
        const { diff } = compareTrajectory(actual, { mode: kind, expected });
        const { matched, outOfOrder, wrongArguments, tooSlow, wrongTool } = diff!;
        const pairs = [...matched, ...outOfOrder, ...wrongArguments, ...tooSlow, ...wrongTool];
        const seen = [...pairs.map((pair) => pair.actual), ...diff!.extra];
        expect(seen.toSorted((a, b) => a - b)).toEqual(actual.map((_, index) => index));
        if (kind === 'subset') return;
        const wanted = [...pairs.map((pair) => pair.expected), ...diff!.missing];
        expect(wanted.toSorted((a, b) => a - b)).toEqual(expected.map((_, index) => index));
        if (kind === 'any_order' || kind === 'unordered') expect(diff!.outOfOrder).toEqual([]);
      }),
      RUNS,
    );
  });

  it('scores 0 for extra calls in exact and unordered, and always between 0 and 1', () => {
    fc.assert(
      fc.property(mode, expectedCalls, actualCalls, (kind, expected, actual) => {
        const { score: reached, diff } = compareTrajectory(actual, { mode: kind, expected });
        expect(reached).toBeGreaterThanOrEqual(0);
        expect(reached).toBeLessThanOrEqual(1);
        if ((kind === 'exact' || kind === 'unordered') && diff!.extra.length > 0) expect(reached).toBe(0);
      }),
      RUNS,
    );
  });

  it('handles long lists in reasonable time', () => {
    const expected: ExpectedCall[] = Array.from({ length: 1000 }, (_, index) => ({
      tool: `t${index % 7}`,
      args: { x: index % 3 },
      argsMatch: 'partial',
    }));
    const actual: RecordedToolCall[] = Array.from({ length: 1000 }, (_, index) => ({
      tool: `t${index % 5}`,
      input: { x: index % 2 },
    }));
    for (const kind of MODES) expect(score(kind, expected, actual) === 1).toBe(kind === 'subset');
  });
});

function shuffle<T>(list: readonly T[], chance: Iterator<number>): readonly T[] {
  const shuffled = [...list];
  for (let index = shuffled.length - 1; index > 0; index--) {
    const other = (chance.next().value as number) % (index + 1);
    [shuffled[index], shuffled[other]] = [shuffled[other]!, shuffled[index]!];
  }
  return shuffled;
}
