import type { Pair } from './calls.ts';

export interface Sides {
  readonly expectedCount: number;
  readonly actualCount: number;
  fits(expected: number, actual: number): boolean;
}

/**
 * As many pairs as possible whose order is the same on both sides: the longest common subsequence, for a relation that
 * need not be an equality. Taking the first fit for each expected call would miss it: of a, b, c in c, a, b that finds c.
 */
export function alignCalls({ expectedCount, actualCount, fits }: Sides): readonly Pair[] {
  const width = actualCount + 1;
  /** `best[i * width + j]`: the most pairs among the expected calls from i on and the actual ones from j on. */
  const best = new Uint32Array((expectedCount + 1) * width);
  for (let i = expectedCount - 1; i >= 0; i--) {
    for (let j = actualCount - 1; j >= 0; j--) {
      const skip = Math.max(best[(i + 1) * width + j]!, best[i * width + j + 1]!);
      best[i * width + j] = fits(i, j) ? Math.max(skip, best[(i + 1) * width + j + 1]! + 1) : skip;
    }
  }
  const pairs: Pair[] = [];
  for (let i = 0, j = 0; i < expectedCount && j < actualCount;) {
    const here = best[i * width + j]!;
    if (fits(i, j) && here === best[(i + 1) * width + j + 1]! + 1) pairs.push({ expected: i++, actual: j++ });
    else if (here === best[(i + 1) * width + j]!) i++;
    else j++;
  }
  return pairs;
}
