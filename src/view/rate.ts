import type { Rate } from '../model/page-data.ts';
import { wilsonInterval } from '../stats/wilson-interval.ts';

/** Undefined if nothing was measured: that is not a rate of zero. */
export function rateOf(passed: number, measured: number): Rate | undefined {
  const { share, low, high } = wilsonInterval(passed, measured);
  return share === undefined ? undefined : { passed, measured, rate: share, low: low!, high: high! };
}
