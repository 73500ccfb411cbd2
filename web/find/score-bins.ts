import type { RangeTerm } from './query.ts';
import type { TestRow } from '../run/test-row.ts';

export interface ScoreBin {
  /** All of them must hold. */
  readonly ranges: readonly Pick<RangeTerm, 'low' | 'high'>[];
  readonly name: string;
  readonly all: number;
  readonly shown: number;
}

const COUNT = 10;

/**
 * How many tests have which score: in ten bins, the last with 1 in it. Undefined if it would say nothing: the counts
 * of verdicts already tell how many are 0 or 1.
 */
export function scoreBins(
  tests: readonly TestRow[],
  shown: readonly TestRow[],
): readonly ScoreBin[] | undefined {
  if (!tests.some(({ score = 0 }) => score > 0 && score < 1)) return undefined;
  const all = countBins(tests);
  const some = tests === shown ? all : countBins(shown);
  return all.map((count, index) => {
    const [low, high] = [index / COUNT, (index + 1) / COUNT];
    return {
      ranges: [
        ...(index === 0 ? [] : [{ low: { value: low, isOpen: false } }]),
        ...(index === COUNT - 1 ? [] : [{ high: { value: high, isOpen: true } }]),
      ],
      name: `${low.toFixed(1)} to ${high.toFixed(1)}`,
      all: count,
      shown: some[index]!,
    };
  });
}

function countBins(tests: readonly TestRow[]): readonly number[] {
  const counts = Array.from({ length: COUNT }, () => 0);
  for (const { score } of tests) {
    if (score === undefined) continue;
    // Not 10 * score, which is below 3 for 0.3 in some cases: the query compares with 0.3 itself.
    let bin = Math.min(COUNT - 1, Math.max(0, Math.floor(score * COUNT)));
    if (bin < COUNT - 1 && score >= (bin + 1) / COUNT) bin++;
    if (score < bin / COUNT) bin--;
    counts[bin]!++;
  }
  return counts;
}
