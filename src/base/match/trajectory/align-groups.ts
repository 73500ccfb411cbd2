import { Assignment, assignCalls, type Sides } from './assign-calls.ts';
import type { Pair } from './calls.ts';

/**
 * Calls that were made together, so that their order says nothing: the index of the first one, and the index after
 * the last.
 */
export interface CallGroup {
  readonly start: number;
  readonly end: number;
}

/** The best pairs if the calls of a group stay in the places of that group, in any order. */
export function placeGroups(sides: Sides, groups: readonly CallGroup[]): readonly Pair[] {
  return groups.flatMap((group) => {
    const { start, end } = group;
    return assignRange(sides, { start, end: Math.min(end, sides.expectedCount) }, group);
  });
}

/**
 * The best pairs in which expected calls follow each other as the groups do, in any order within a group. Each
 * group gets a range of the expected calls: `best[i]` is the highest value of the first i of them with the groups
 * so far.
 */
export function alignGroups(sides: Sides, groups: readonly CallGroup[]): readonly Pair[] {
  const { expectedCount } = sides;
  let best = new Float64Array(expectedCount + 1);
  const stretches = groups.map((group) => {
    const before = best;
    best = before.slice();
    const startOf = Int32Array.from({ length: expectedCount + 1 }, (_, index) => index);
    for (let start = 0; start < expectedCount; start++) {
      // A later start with no more value cannot win.
      if (start > 0 && before[start] === before[start - 1]) continue;
      const assignment = new Assignment(group.end - group.start, (i, j) => sides.gain(i, group.start + j));
      for (let index = start; index < expectedCount; index++) {
        assignment.add(index);
        const worth = before[start]! + assignment.worth;
        if (worth > best[index + 1]!) {
          best[index + 1] = worth;
          startOf[index + 1] = start;
        }
      }
    }
    return startOf;
  });
  const pairs: Pair[] = [];
  let end = expectedCount;
  for (let index = groups.length - 1; index >= 0; index--) {
    const start = stretches[index]![end]!;
    pairs.push(...assignRange(sides, { start, end }, groups[index]!));
    end = start;
  }
  return pairs.toSorted((a, b) => a.expected - b.expected);
}

function assignRange(sides: Sides, expected: CallGroup, actual: CallGroup): readonly Pair[] {
  const pairs = assignCalls({
    expectedCount: Math.max(0, expected.end - expected.start),
    actualCount: actual.end - actual.start,
    gain: (i, j) => sides.gain(expected.start + i, actual.start + j),
  });
  return pairs.map((pair) => ({
    expected: expected.start + pair.expected,
    actual: actual.start + pair.actual,
  }));
}
