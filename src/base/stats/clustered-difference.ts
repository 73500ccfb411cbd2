import type { Estimate } from './paired-rate-interval.ts';
import { studentQuantile } from './student-quantile.ts';

/** The differences of one test's pairs: how many there are, and their sum. */
export interface Cluster {
  readonly count: number;
  readonly sum: number;
}

/**
 * The mean of differences that come in clusters, one per test with its repeats. The interval makes no assumption
 * about how similar the repeats of a test are: Student's t with a standard error between tests. With one pair per
 * test it is the paired t interval. Undefined if the spread between tests is unknown: for fewer than two tests, or
 * if all of them differ by the same amount.
 */
export function clusteredDifference(
  clusters: readonly Cluster[],
  { limits, confidence = 0.95 }: { readonly limits: readonly [number, number]; readonly confidence?: number },
): Estimate | undefined {
  const tests = clusters.length;
  if (tests < 2) return undefined;
  const count = clusters.reduce((total, cluster) => total + cluster.count, 0);
  const value = clusters.reduce((total, { sum }) => total + sum, 0) / count;
  const squares = clusters.reduce((total, cluster) => total + (cluster.sum - cluster.count * value) ** 2, 0);
  const error = Math.sqrt((tests / (tests - 1)) * squares) / count;
  if (error < NO_SPREAD) return undefined;
  const half = error * studentQuantile(confidence, tests - 1);
  return { value, low: Math.max(limits[0], value - half), high: Math.min(limits[1], value + half) };
}

/** The spread that rounding alone may leave when the true spread is 0. */
const NO_SPREAD = 1e-12;
