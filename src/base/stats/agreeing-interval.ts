import type { Estimate } from './paired-rate-interval.ts';

/**
 * An interval that agrees with a test of no difference. The test is exact and the interval approximate, so of few tests they may
 * disagree about 0: then the test decides whether 0 is inside. Undefined without an interval.
 */
export function agreeingInterval(
  estimate: Estimate | undefined,
  p_value: number,
  alpha = 0.05,
): Estimate | undefined {
  if (estimate === undefined) return undefined;
  const { value, low, high } = estimate;
  if (p_value >= alpha) return { value, low: Math.min(low, 0), high: Math.max(high, 0) };
  return value < 0 ? { value, low, high: Math.min(high, 0) } : { value, low: Math.max(low, 0), high };
}
