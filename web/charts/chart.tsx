import { useRef, useState } from 'preact/hooks';
import { go } from '../route/route.ts';
import { areaPath, linePath, niceTicks } from './paths.ts';
import { useWidth } from './use-width.ts';

/** A value of one run, with bounds if there are any. */
export interface ChartPoint {
  readonly label: string;
  readonly link: string;
  readonly value?: number | undefined;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

const HEIGHT = 180;
const MARGIN = { top: 10, right: 12, bottom: 8, left: 56 };

/** A line over runs, one point per run, with a band around it. The numbers are also in the table of the page. */
export function Chart({
  title,
  points,
  format,
  bounds,
  bandName,
}: {
  readonly title: string;
  readonly points: readonly ChartPoint[];
  readonly format: (value: number | undefined) => string;
  /** From and to; without them from 0 to the highest value. */
  readonly bounds?: readonly [number, number];
  /** The name of the band: "95% interval". */
  readonly bandName?: string;
}) {
  const svg = useRef<SVGSVGElement>(null);
  const width = useWidth(svg);
  const [active, setActive] = useState<number>();
  const values = points.flatMap(({ value, high }) => [value ?? [], high ?? []].flat());
  if (values.length === 0) return null;
  const ticks = niceTicks(bounds ?? [0, Math.max(...values)]);
  const top = ticks.at(-1)!;
  const x = (index: number): number =>
    points.length === 1
      ? (MARGIN.left + width - MARGIN.right) / 2
      : MARGIN.left + (index / (points.length - 1)) * (width - MARGIN.left - MARGIN.right);
  const y = (value: number): number =>
    HEIGHT - MARGIN.bottom - (top === 0 ? 0 : value / top) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const shown = points[active ?? points.findLastIndex(({ value }) => value !== undefined)];
  const last = points.findLast(({ value }) => value !== undefined);
  const find = (clientX: number, box: DOMRect): number => {
    const inside = ((clientX - box.left) / box.width) * width;
    const share = (inside - MARGIN.left) / (width - MARGIN.left - MARGIN.right);
    return Math.max(0, Math.min(points.length - 1, Math.round(share * (points.length - 1))));
  };
  return (
    <figure class="chart">
      <figcaption>
        <span class="chart-title">{title}</span>
        <span class="chart-value">{format(shown?.value)}</span>
        <span class="dim">
          {shown?.low !== undefined &&
            shown.high !== undefined &&
            `${format(shown.low)} to ${format(shown.high)} · `}
          {shown?.label}
        </span>
      </figcaption>
      <svg
        ref={svg}
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={`${title} over ${points.length} runs, latest ${format(last?.value)}${bandName === undefined ? '' : `; the band is the ${bandName}`}`}
        onPointerMove={({ clientX, currentTarget }) =>
          setActive(find(clientX, currentTarget.getBoundingClientRect()))
        }
        onPointerLeave={() => setActive(undefined)}
        onClick={() => active !== undefined && go(points[active]!.link)}
      >
        {ticks.map((tick) => (
          <g key={tick} class="tick-line">
            <path d={`M${MARGIN.left} ${y(tick)}H${width - MARGIN.right}`} />
            <text x={MARGIN.left - 8} y={y(tick) + 4}>
              {format(tick)}
            </text>
          </g>
        ))}
        <path
          class="chart-band"
          d={areaPath(
            points.map(({ low, high }, index) =>
              low === undefined || high === undefined
                ? undefined
                : { x: x(index), low: y(low), high: y(high) },
            ),
          )}
        />
        <path
          class="chart-line"
          d={linePath(
            points.map(({ value }, index) =>
              value === undefined ? undefined : { x: x(index), y: y(value) },
            ),
          )}
        />
        {points.map(({ value }, index) =>
          value === undefined ? null : (
            <circle
              key={index}
              class={index === active ? 'chart-dot is-active' : 'chart-dot'}
              cx={x(index)}
              cy={y(value)}
              r={index === active ? 4.5 : points.length > 60 ? 1.5 : 2.5}
            />
          ),
        )}
      </svg>
    </figure>
  );
}
