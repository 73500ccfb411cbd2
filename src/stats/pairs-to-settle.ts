import { normalQuantile } from './normal-quantile.ts';
import type { PairedRates } from './paired-rate-interval.ts';

export interface SettleOptions {
  /** The chance of taking chance for a difference. */
  readonly alpha: number;
  /** The chance of seeing a difference that is there. */
  readonly power: number;
}

/**
 * How many pairs McNemar's exact test needs to see a difference as large as this one, if the shares of pairs that get
 * better and worse stay what they are: Miettinen's formula, with a correction for the test being exact. Undefined when
 * there is no difference to see.
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
