import { logChoose } from './log-choose.ts';

/** Pairs in which the two sides differ. */
export interface Discordance {
  /** Failed before, passed after. */
  readonly better: number;
  /** Passed before, failed after. */
  readonly worse: number;
}

/**
 * McNemar's exact test, two-sided: how likely a split at least this uneven is when a pair that differs is as likely to
 * get better as to get worse. No pair that differs is no evidence: 1.
 */
export function mcnemarTest({ better, worse }: Discordance): number {
  const total = better + worse;
  const fewer = Math.min(better, worse);
  if (2 * fewer === total) return 1;
  // Both tails are alike, so one is summed: downwards from its largest term, which the others are fractions of.
  let share = 1;
  let sum = 1;
  for (let count = fewer; count > 0 && share > sum * Number.EPSILON; count--) {
    share *= count / (total - count + 1);
    sum += share;
  }
  return Math.min(1, 2 * sum * Math.exp(logChoose(total, fewer) - total * Math.LN2));
}
