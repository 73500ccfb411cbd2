import type { Rate } from '../../base/model/page-data.ts';
import { wilsonInterval } from '../../base/stats/wilson-interval.ts';

interface Counts {
  readonly passed: number;
  readonly measured: number;
  /** Attempts that could not be measured. */
  readonly errored: number;
}

/** Undefined if nothing was measured: that is not a rate of zero. */
export function rateOf({ passed, measured, errored }: Counts): Rate | undefined {
  const { share, low, high } = wilsonInterval(passed, measured);
  if (share === undefined) return undefined;
  return { passed, measured, rate: share, low: low!, high: high!, ...(errored > 0 && { errored }) };
}
