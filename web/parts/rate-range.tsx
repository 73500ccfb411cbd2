import type { Rate } from '../../src/base/model/page-data.ts';
import { passRateWords } from '../../src/base/model/pass-rate-words.ts';
import { formatCount, formatPercent, plural, UNKNOWN } from '../text/format.ts';
import { naming } from './icon.tsx';
import './rate-range.css';

/** A pass rate and its bounds: the less was measured, the wider the band. */
export function RateRange({ rate }: { readonly rate: Rate | undefined }) {
  if (rate === undefined) return <span class="dim">{UNKNOWN}</span>;
  return (
    <span class="rate" title={`${passRateWords(rate, rate.errored ?? 0)}; 95% interval ${boundsOf(rate)}`}>
      <span class="rate-number">{rateText(rate)}</span>
      <IntervalBar {...rate} value={rate.rate} width={72} label={`between ${boundsOf(rate)}`} />
    </span>
  );
}

/** The same as the one large number of a page. */
export function LargeRate({ rate }: { readonly rate: Rate | undefined }) {
  if (rate === undefined)
    return (
      <div class="line large-rate">
        <span class="large-number dim">{UNKNOWN}</span>
        <span class="dim">Nothing was measured.</span>
      </div>
    );
  const errored = rate.errored ?? 0;
  return (
    <div class="line large-rate" title={passRateWords(rate, errored)}>
      <span class="large-number">{formatPercent(rate.rate)}</span>
      <IntervalBar {...rate} value={rate.rate} width={150} label={`between ${boundsOf(rate)}`} />
      <span class="dim large-rate-words">
        {formatCount(rate.passed)} of {plural(rate.measured, 'attempt')}
        {errored > 0 && `, ${formatCount(errored)} errored`} · 95% interval {boundsOf(rate)}
      </span>
    </div>
  );
}

/** `100% of 8`: of how many, where some could not be measured. */
export function rateText(rate: Rate | undefined): string {
  const of = rate?.errored === undefined ? '' : ` of ${formatCount(rate.measured)}`;
  return `${formatPercent(rate?.rate)}${of}`;
}

function boundsOf({ low, high }: Rate): string {
  return `${formatPercent(low)} to ${formatPercent(high)}`;
}

/** A share and where it probably is, between 0 and 1. Without a label it is decoration beside the numbers. */
export function IntervalBar({
  value,
  low,
  high,
  width,
  label,
  hasMiddle = false,
}: {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly width: number;
  readonly label?: string;
  /** A line in the middle. */
  readonly hasMiddle?: boolean;
}) {
  const x = (share: number): number => 2 + share * (width - 4);
  return (
    <svg class="range" viewBox={`0 0 ${width} 12`} width={width} height="12" {...naming(label)}>
      <path class="range-track" d={`M2 6H${width - 2}${hasMiddle ? `M${width / 2} 1V11` : ''}`} />
      <path class="range-band" d={`M${x(low)} 6H${Math.max(x(high), x(low) + 0.5)}`} />
      <circle class="range-dot" cx={x(value)} cy="6" r="2.5" />
    </svg>
  );
}
