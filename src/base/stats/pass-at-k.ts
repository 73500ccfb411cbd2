import type { PassCounts } from './pass-counts.ts';

/**
 * pass@k: the probability that at least one of k attempts passes, `1 - C(n - c, k) / C(n, k)`. Unbiased if the
 * number of attempts was fixed beforehand. Undefined, not 1, with fewer than k measured attempts: they say nothing
 * about k.
 */
export function passAtK({ passed, measured }: PassCounts, k: number): number | undefined {
  const allFail = shareOfDraws(measured - passed, measured, k);
  return allFail === undefined ? undefined : 1 - allFail;
}

/** pass^k: the probability that all of k attempts pass, `C(c, k) / C(n, k)`, undefined with fewer than k. */
export function passHatK({ passed, measured }: PassCounts, k: number): number | undefined {
  return shareOfDraws(passed, measured, k);
}

/** The share of all ways to draw k of `total` in which all k are among the `marked` ones. */
function shareOfDraws(marked: number, total: number, k: number): number | undefined {
  if (total < k) return undefined;
  let share = 1;
  for (let drawn = 0; drawn < k; drawn++) share *= Math.max(0, marked - drawn) / (total - drawn);
  return share;
}
