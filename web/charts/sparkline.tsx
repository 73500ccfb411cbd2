const WIDTH = 120;
const HEIGHT = 24;

/** A line without axes: only its direction. */
export function Sparkline({
  values,
  isShare = false,
}: {
  readonly values: readonly (number | undefined)[];
  /** Drawn between 0 and 1, not between its own extremes. */
  readonly isShare?: boolean;
}) {
  const known = values.filter((value) => value !== undefined);
  const low = isShare ? 0 : Math.min(...known);
  const high = isShare ? 1 : Math.max(...known);
  const x = (index: number): number => 3 + (index / Math.max(1, values.length - 1)) * (WIDTH - 6);
  const y = (value: number): number =>
    high === low ? HEIGHT / 2 : HEIGHT - 3 - ((value - low) / (high - low)) * (HEIGHT - 6);
  const points = values.flatMap((value, index) =>
    value === undefined ? [] : [`${x(index).toFixed(1)} ${y(value).toFixed(1)}`],
  );
  const last = points.at(-1)?.split(' ');
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
    >
      <path d={`M${points.join('L')}`} />
      {last !== undefined && <circle cx={last[0]} cy={last[1]} r="2.5" />}
    </svg>
  );
}
