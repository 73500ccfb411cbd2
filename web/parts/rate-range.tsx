import type { Rate } from '../../src/model/page-data.ts';
import { formatPercent, UNKNOWN } from '../text/format.ts';

const WIDTH = 72;

/** A pass rate and its bounds: the less was measured, the wider the band. */
export function RateRange({ rate }: { readonly rate: Rate | undefined }) {
  if (rate === undefined) return <span class="dim">{UNKNOWN}</span>;
  const x = (share: number): number => 2 + share * (WIDTH - 4);
  const bounds = `${formatPercent(rate.low)} to ${formatPercent(rate.high)}`;
  return (
    <span class="rate" title={`${rate.passed} of ${rate.measured} attempts passed; 95 % interval ${bounds}`}>
      <span class="rate-number">{formatPercent(rate.rate)}</span>
      <svg
        class="range"
        viewBox={`0 0 ${WIDTH} 12`}
        width={WIDTH}
        height="12"
        role="img"
        aria-label={`between ${bounds}`}
      >
        <path class="range-track" d={`M2 6H${WIDTH - 2}`} />
        <path class="range-band" d={`M${x(rate.low)} 6H${Math.max(x(rate.high), x(rate.low) + 0.5)}`} />
        <circle class="range-dot" cx={x(rate.rate)} cy="6" r="2.5" />
      </svg>
    </span>
  );
}
