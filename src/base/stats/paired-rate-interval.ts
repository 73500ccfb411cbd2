import type { Discordance } from './mcnemar-test.ts';
import { normalQuantile } from './normal-quantile.ts';

export interface PairedRates extends Discordance {
  readonly pairs: number;
}

export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The difference of two pass rates over the same pairs, after minus before, with Tango's score interval: the
 * differences that the data do not contradict. It stays within -1..1, is right for few pairs, and does not shrink
 * to nothing if no pair differs. Undefined without pairs.
 */
export function pairedRateInterval(rates: PairedRates, confidence = 0.95): Estimate | undefined {
  const { better, worse, pairs } = rates;
  if (pairs === 0) return undefined;
  const value = (better - worse) / pairs;
  const limit = normalQuantile((1 + confidence) / 2);
  return {
    value,
    low: worse === pairs ? -1 : boundary(-1, value, (difference) => scoreOf(rates, difference) > limit),
    high: better === pairs ? 1 : boundary(value, 1, (difference) => scoreOf(rates, difference) >= -limit),
  };
}

/** The point between `low` and `high` where a condition stops being true. */
function boundary(low: number, high: number, isSo: (difference: number) => boolean): number {
  let [from, to] = [low, high];
  for (let middle = (from + to) / 2; middle > from && middle < to; middle = (from + to) / 2) {
    if (isSo(middle)) from = middle;
    else to = middle;
  }
  return (from + to) / 2;
}

/** How far the data are from a supposed difference, in standard errors; decreases as the difference grows. */
function scoreOf({ better, worse, pairs }: PairedRates, difference: number): number {
  // The most likely share of pairs that get worse, given this difference: a root of a quadratic.
  const linear = (2 * pairs - better + worse) * difference - better - worse;
  const constant = -worse * difference * (1 - difference);
  const worseShare = (Math.sqrt(linear * linear - 8 * pairs * constant) - linear) / (4 * pairs);
  const variance = pairs * (2 * worseShare + difference * (1 - difference));
  const distance = better - worse - pairs * difference;
  return variance <= 0 ? Math.sign(distance) * Infinity : distance / Math.sqrt(variance);
}
