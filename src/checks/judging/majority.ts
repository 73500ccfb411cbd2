import { reaches } from '../../base/model/threshold.ts';

export interface Majority<T> {
  readonly score: number;
  readonly passes: number;
  /** A sample of the winning side, to explain the score. */
  readonly spokesman: T;
}

/**
 * The verdict of most samples; a tie fails. Each sample passes or fails by the threshold, and the score is the mean
 * of the winning side: a mean of all would let one outlier turn the verdict.
 */
export function majority<T extends { readonly score: number }>(
  samples: readonly T[],
  threshold: number,
): Majority<T> {
  const passing = samples.filter(({ score }) => reaches(score, threshold));
  const failing = samples.filter(({ score }) => !reaches(score, threshold));
  const winners = passing.length > failing.length ? passing : failing;
  const score = winners.reduce((sum, sample) => sum + sample.score, 0) / winners.length;
  const spokesman = winners.reduce((best, sample) =>
    Math.abs(sample.score - score) < Math.abs(best.score - score) ? sample : best,
  );
  return { score, passes: passing.length, spokesman };
}
