import type { Sides } from './align-calls.ts';
import type { Pair } from './calls.ts';

/**
 * As many pairs as possible in any order, each call in one pair at most: a maximum bipartite matching, found by
 * augmenting paths. Where an expected call finds its only fit taken, those who hold it look for another.
 */
export function assignCalls({ expectedCount, actualCount, fits }: Sides): readonly Pair[] {
  const fitting = Array.from({ length: expectedCount }, (_, i) =>
    range(actualCount).filter((j) => fits(i, j)),
  );
  const holderOf = Array.from<number | undefined>({ length: actualCount });
  const heldBy = Array.from<number | undefined>({ length: expectedCount });
  for (let start = 0; start < expectedCount; start++) {
    /** For every actual call reached: the expected call it was reached from. */
    const reachedFrom = new Map<number, number>();
    let free: number | undefined;
    for (const queue = [start]; queue.length > 0 && free === undefined;) {
      const expected = queue.shift()!;
      for (const actual of fitting[expected]!) {
        if (reachedFrom.has(actual)) continue;
        reachedFrom.set(actual, expected);
        const holder = holderOf[actual];
        if (holder !== undefined) queue.push(holder);
        else {
          free = actual;
          break;
        }
      }
    }
    // Along the path everyone passes on what they held.
    while (free !== undefined) {
      const expected: number = reachedFrom.get(free)!;
      const passedOn: number | undefined = heldBy[expected];
      holderOf[free] = expected;
      heldBy[expected] = free;
      free = passedOn;
    }
  }
  return heldBy.flatMap((actual, expected) => (actual === undefined ? [] : [{ expected, actual }]));
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}
