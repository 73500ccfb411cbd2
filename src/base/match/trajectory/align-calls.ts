import type { Sides } from './assign-calls.ts';
import type { Pair } from './calls.ts';

/**
 * The pairs in the same order on both sides with the highest total value: the longest common subsequence, for a
 * relation that need not be an equality. Taking the first match for each expected call would miss it: of a, b, c in
 * c, a, b that finds c.
 */
export function alignCalls({ expectedCount, actualCount, gain }: Sides): readonly Pair[] {
  const width = actualCount + 1;
  /**
   * `best[i * width + j]`: the highest total value of pairs of the expected calls from i on and the actual ones
   * from j on.
   */
  const best = Array.from({ length: (expectedCount + 1) * width }, () => 0);
  for (let i = expectedCount - 1; i >= 0; i--) {
    for (let j = actualCount - 1; j >= 0; j--) {
      const skip = Math.max(best[(i + 1) * width + j]!, best[i * width + j + 1]!);
      best[i * width + j] = Math.max(skip, best[(i + 1) * width + j + 1]! + gain(i, j));
    }
  }
  const pairs: Pair[] = [];
  for (let i = 0, j = 0; i < expectedCount && j < actualCount;) {
    const here = best[i * width + j]!;
    const own = gain(i, j);
    if (own > 0 && here === best[(i + 1) * width + j + 1]! + own) pairs.push({ expected: i++, actual: j++ });
    else if (here === best[(i + 1) * width + j]!) i++;
    else j++;
  }
  return pairs;
}
