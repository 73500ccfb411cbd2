import { normalQuantile } from './normal-quantile.ts';
import type { PairedRates } from './paired-rate-interval.ts';

export interface SettleOptions {
  /** The probability of a false alarm. */
  readonly alpha: number;
  /** The probability of detecting a real difference. */
  readonly power: number;
}

/**
 * How many pairs McNemar's exact test needs to detect a difference of this size, if the shares of pairs that get
 * better and worse stay the same: Miettinen's formula, corrected for the exact test. Undefined if there is no
 * difference.
 */
export function pairsToSettle(
  { better, worse, pairs }: PairedRates,
  { alpha, power }: SettleOptions,
): number | undefined {
  // Sums of shares: 1/6 + 3/6 may differ from 3/6 + 1/6 in the last bit.
  if (Math.abs(better - worse) <= ROUNDING * pairs) return undefined;
  const differing = (better + worse) / pairs;
  const difference = Math.abs(better - worse) / pairs;
  const spread =
    normalQuantile(1 - alpha / 2) * Math.sqrt(differing) +
    normalQuantile(power) * Math.sqrt(Math.max(0, differing - difference * difference));
  const approximate = (spread / difference) ** 2;
  const exact = (approximate / 4) * (1 + Math.sqrt(1 + 4 / (approximate * difference))) ** 2;
  // With fewer differing pairs than this, not even all of them in one direction would be enough.
  const leastDiffering = Math.ceil(1 - Math.log2(alpha));
  return Math.ceil(Math.max(exact, leastDiffering / differing));
}

const ROUNDING = 1e-12;
