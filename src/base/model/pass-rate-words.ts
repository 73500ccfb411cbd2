import { formatPercent } from './percent.ts';
import { grouped } from './grouped.ts';

interface MeasuredRate {
  readonly passed: number;
  readonly measured: number;
  readonly rate: number;
}

/**
 * A pass rate with what it is a share of: attempts that errored are not in it, and must not be forgotten.
 * `100% of the 8 attempts that could be measured; 52 errored`.
 */
export function passRateWords({ passed, measured, rate }: MeasuredRate, errored: number): string {
  const attempts = `${grouped(measured)} ${measured === 1 ? 'attempt' : 'attempts'}`;
  if (errored === 0) return `${formatPercent(rate)}: ${passed} of ${attempts}`;
  return `${formatPercent(rate)} of the ${attempts} that could be measured; ${grouped(errored)} errored`;
}
