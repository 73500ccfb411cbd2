import * as fc from '../seeded-fast-check.ts';
import { describe, expect, it } from 'vitest';
import type { ExpectedCall, TrajectoryMode } from '../../src/match/trajectory/calls.ts';
import { compareCall } from '../../src/match/trajectory/compare-call.ts';
import { compareTrajectory } from '../../src/match/trajectory/compare-trajectory.ts';
import type { RecordedToolCall } from '../../src/model/reply.ts';

const MODES: readonly TrajectoryMode[] = ['exact', 'in_order', 'any_order', 'unordered', 'subset'];

/** Few tools and few arguments, so that calls fit several expected ones: there greedy matching goes wrong. */
const tool = fc.constantFrom('a', 'b', '__proto__');
const args = fc.constantFrom({}, { x: 1 }, { y: 2 }, { x: 1, y: 2 }, { x: 2 });

const expectedCall: fc.Arbitrary<ExpectedCall> = fc.record({
  tool,
  args: fc.option(args, { nil: undefined, freq: 2 }),
  argsMatch: fc.constantFrom('exact', 'partial', 'ignore'),
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

describe('tool_trajectory, whatever the calls', () => {
  it('scores 1 exactly when the claim of the mode holds', () => {
    fc.assert(
      fc.property(mode, expectedCalls, actualCalls, (kind, expected, actual) => {
        expect(score(kind, expected, actual) === 1).toBe(CLAIMS[kind](expected, actual));
      }),
      RUNS,
    );
  });

  it('matches as many calls as the best of all matchings', () => {
    fc.assert(
      fc.property(expectedCalls, actualCalls, (expected, actual) => {
        const share = (pairs: number): number => (expected.length === 0 ? 1 : pairs / expected.length);
        expect(score('any_order', expected, actual)).toBe(share(mostPairs(expected, actual, false)));
        expect(score('in_order', expected, actual)).toBe(share(mostPairs(expected, actual, true)));
      }),
      RUNS,
    );
  });

  it('does not depend on the order where order does not count', () => {
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

  it('does not tell equal calls apart', () => {
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

  it('never scores lower in any_order for one more of the expected calls', () => {
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

  it('puts every call in one place of the diff', () => {
    fc.assert(
      fc.property(mode, expectedCalls, actualCalls, (kind, expected, actual) => {
        const { diff } = compareTrajectory(actual, { mode: kind, expected });
        const pairs = [...diff!.matched, ...diff!.outOfOrder, ...diff!.wrongArguments, ...diff!.tooSlow];
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

  it('scores 0 for extra calls in exact and unordered, and always from 0 to 1', () => {
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
