import type { Pair } from './calls.ts';

/** Expected and actual calls, and what a pair of them is worth: 0 when they are not the same call. */
export interface Sides {
  readonly expectedCount: number;
  readonly actualCount: number;
  gain(expected: number, actual: number): number;
}

/** The pairs in any order, each call in one pair at most, that are worth the most together. */
export function assignCalls({ expectedCount, actualCount, gain }: Sides): readonly Pair[] {
  const assignment = new Assignment(actualCount);
  for (let expected = 0; expected < expectedCount; expected++)
    assignment.add(Float64Array.from({ length: actualCount }, (_, actual) => gain(expected, actual)));
  return assignment.pairs();
}

/**
 * A maximum weight bipartite matching to which expected calls are added one by one: the Hungarian method, with shortest
 * augmenting paths. A path may also end at an expected call on it, which then stays without a partner.
 */
export class Assignment {
  /** What the pairs are worth together. */
  worth = 0;
  private readonly gains: Float64Array[] = [];
  private readonly expectedPrices: number[] = [];
  private readonly actualPrices: Float64Array;
  /** By actual call; -1: none. */
  private readonly holders: Int32Array;

  constructor(private readonly actualCount: number) {
    this.actualPrices = new Float64Array(actualCount);
    this.holders = new Int32Array(actualCount).fill(-1);
  }

  /** Adds an expected call, given by its gain with each actual call. */
  add(gains: Float64Array): void {
    const added = this.gains.push(gains) - 1;
    this.expectedPrices.push(0);
    if (gains.every((gain) => gain === 0)) return;
    const { actualCount, holders, expectedPrices, actualPrices } = this;
    const distances = new Float64Array(actualCount).fill(Infinity);
    /** The actual call before it on the path; -1: the path starts here. */
    const before = new Int32Array(actualCount).fill(-1);
    const isVisited = new Uint8Array(actualCount);
    let nearestEnd = { distance: Infinity, at: -1 };
    let [expected, at] = [added, -1];
    for (;;) {
      const alone = -expectedPrices[expected]!;
      if (alone < nearestEnd.distance) nearestEnd = { distance: alone, at };
      let [step, next] = [nearestEnd.distance, -1];
      for (let actual = 0; actual < actualCount; actual++) {
        if (isVisited[actual] === 1) continue;
        const gain = this.gains[expected]![actual]!;
        const distance = gain === 0 ? Infinity : -gain - expectedPrices[expected]! - actualPrices[actual]!;
        if (distance < distances[actual]!) {
          distances[actual] = distance;
          before[actual] = at;
        }
        if (distances[actual]! < step) [step, next] = [distances[actual]!, actual];
      }
      this.worth -= step;
      expectedPrices[added]! += step;
      for (let actual = 0; actual < actualCount; actual++) {
        if (isVisited[actual] === 1) {
          expectedPrices[holders[actual]!]! += step;
          actualPrices[actual]! -= step;
        } else distances[actual]! -= step;
      }
      nearestEnd.distance -= step;
      at = next === -1 ? nearestEnd.at : next;
      if (next === -1 || holders[next] === -1) break;
      isVisited[next] = 1;
      expected = holders[next]!;
    }
    // Along the path everyone takes what the next one held.
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
