import type { Pair } from './calls.ts';

/** Expected and actual calls, and the value of a pair: 0 if they are not the same call. */
export interface Sides {
  readonly expectedCount: number;
  readonly actualCount: number;
  gain(expected: number, actual: number): number;
}

/** Sides that compare each pair once. */
export function weighOnce({ expectedCount, actualCount, gain }: Sides): Sides {
  // A plain list: a typed array costs more to make than most of them take to fill.
  const gains: number[] = [];
  for (let i = 0; i < expectedCount; i++) for (let j = 0; j < actualCount; j++) gains.push(gain(i, j));
  return { expectedCount, actualCount, gain: (i, j) => gains[i * actualCount + j]! };
}

/** The pairs in any order, each call in at most one pair, with the highest total value. */
export function assignCalls({ expectedCount, actualCount, gain }: Sides): readonly Pair[] {
  const assignment = new Assignment(actualCount, gain);
  for (let expected = 0; expected < expectedCount; expected++) assignment.add(expected);
  return assignment.pairs();
}

/**
 * A maximum weight bipartite matching to which expected calls are added one by one: the Hungarian method, with
 * shortest augmenting paths. A path may also end at an expected call on it, which then stays unmatched.
 */
export class Assignment {
  /** The total value of the pairs. */
  worth = 0;
  private readonly expectedPrices = new Map<number, number>();
  private readonly actualPrices: Float64Array;
  /** By actual call; -1: none. */
  private readonly holders: Int32Array;

  constructor(
    private readonly actualCount: number,
    private readonly gain: Sides['gain'],
  ) {
    this.actualPrices = new Float64Array(actualCount);
    this.holders = new Int32Array(actualCount).fill(-1);
  }

  add(added: number): void {
    const { actualCount, holders, expectedPrices, actualPrices, gain } = this;
    expectedPrices.set(added, 0);
    const distances = new Float64Array(actualCount).fill(Infinity);
    /** The actual call before it on the path; -1: the path starts here. */
    const before = new Int32Array(actualCount).fill(-1);
    const visited: number[] = [];
    const isVisited = new Uint8Array(actualCount);
    let nearestEnd = { distance: Infinity, at: -1 };
    let [expected, at] = [added, -1];
    /** The length of the path so far; distances count from its start. */
    let length = 0;
    for (;;) {
      const price = expectedPrices.get(expected)!;
      if (length - price < nearestEnd.distance) nearestEnd = { distance: length - price, at };
      let [nearest, next] = [nearestEnd.distance, -1];
      for (let actual = 0; actual < actualCount; actual++) {
        if (isVisited[actual] === 1) continue;
        const own = gain(expected, actual);
        const distance = own === 0 ? Infinity : length - own - price - actualPrices[actual]!;
        if (distance < distances[actual]!) {
          distances[actual] = distance;
          before[actual] = at;
        }
        // Of two equally near ones, a free one ends the path.
        const isNearer = distances[actual]! < nearest;
        const isFree = nearest === distances[actual] && nearest < Infinity && holders[actual] === -1;
        if (isNearer || (isFree && (next === -1 || holders[next] !== -1)))
          [nearest, next] = [distances[actual]!, actual];
      }
      length = nearest;
      at = next === -1 ? nearestEnd.at : next;
      if (next === -1 || holders[next] === -1) break;
      isVisited[next] = 1;
      visited.push(next);
      expected = holders[next]!;
    }
    this.worth -= length;
    expectedPrices.set(added, length);
    for (const actual of visited) {
      const rise = length - distances[actual]!;
      actualPrices[actual]! -= rise;
      const holder = holders[actual]!;
      expectedPrices.set(holder, expectedPrices.get(holder)! + rise);
    }
    // Along the path, each takes what the next one had.
    while (at !== -1) {
      const previous = before[at]!;
      holders[at] = previous === -1 ? added : holders[previous]!;
      at = previous;
    }
  }

  pairs(): readonly Pair[] {
    return [...this.holders]
      .flatMap((expected, actual) => (expected === -1 ? [] : [{ expected, actual }]))
      .toSorted((a, b) => a.expected - b.expected);
  }
}
