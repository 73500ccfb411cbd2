import { useRef, useState } from 'preact/hooks';
import { go } from '../route/route.ts';
import { formatTime } from '../text/format.ts';
import { areaPath, linePath, niceTicks } from './paths.ts';
import { useWidth } from './use-width.ts';
import './charts.css';

/** A value of one run, with bounds if there are any. */
export interface ChartPoint {
  readonly label: string;
  readonly link: string;
  readonly startedAt: string;
  /** The commit it ran at. */
  readonly revision?: string | undefined;
  readonly value?: number | undefined;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

const HEIGHT = 190;
const MARGIN = { top: 10, right: 12, bottom: 24, left: 56 };
/** Of a sign of the numbers at the left, in pixels. */
const SIGN = 7;

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
  const times = points.map(({ startedAt }) => Date.parse(startedAt));
  const [start = 0, end = 0] = [times[0], times.at(-1)];
  const left = Math.max(MARGIN.left, 8 + SIGN * Math.max(...ticks.map((tick) => format(tick).length)));
  const room = width - left - MARGIN.right;
  const x = (index: number): number =>
    left + (end > start ? (Math.max(0, times[index]! - start) / (end - start)) * room : room / 2);
  const y = (value: number): number =>
    HEIGHT - MARGIN.bottom - (top === 0 ? 0 : value / top) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const shown = points[active ?? points.findLastIndex(({ value }) => value !== undefined)];
  const last = points.findLast(({ value }) => value !== undefined);
  const find = (clientX: number, box: DOMRect): number => {
    const inside = ((clientX - box.left) / box.width) * width;
    const distances = points.map((_, index) => Math.abs(x(index) - inside));
    return distances.indexOf(Math.min(...distances));
  };
  const marks = commitMarks(points).filter(
    (index, place, all) => place === 0 || x(index) - x(all[place - 1]!) > MIN_GAP,
  );
  return (
    <figure class="card chart">
      <figcaption>
        <span class="bold">{title}</span>
        <span class="chart-value">{format(shown?.value)}</span>
        <span class="dim">
          {shown?.low !== undefined &&
            shown.high !== undefined &&
            `${bandName ?? ''} ${format(shown.low)} to ${format(shown.high)} · `}
          {shown?.label}
          {shown?.revision !== undefined && ` · ${shown.revision.slice(0, 7)}`}
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
            <path d={`M${left} ${y(tick)}H${width - MARGIN.right}`} />
            <text x={left - 8} y={y(tick) + 4}>
              {format(tick)}
            </text>
          </g>
        ))}
        {marks.map((index) => (
          <path key={index} class="chart-commit" d={`M${x(index)} ${MARGIN.top}V${HEIGHT - MARGIN.bottom}`}>
            <title>{points[index]!.revision!.slice(0, 7)}</title>
          </path>
        ))}
        {timeLabels(start, end).map(({ share, text }) => (
          <text
            key={share}
            class="chart-time"
            x={left + share * room}
            y={HEIGHT - 6}
            text-anchor={share === 0 ? 'start' : share === 1 ? 'end' : 'middle'}
          >
            {text}
          </text>
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

/** Closer lines for commits are left out. */
const MIN_GAP = 24;

/** The first runs of new commits. */
function commitMarks(points: readonly ChartPoint[]): readonly number[] {
  return points.flatMap(({ revision }, index) =>
    index > 0 && revision !== undefined && revision !== points[index - 1]!.revision ? [index] : [],
  );
}

const DAY_MS = 86_400_000;

/** The start, the middle and the end: days, or the time of day within two days. */
function timeLabels(
  start: number,
  end: number,
): readonly { readonly share: number; readonly text: string }[] {
  if (!(end > start)) return [];
  const isShort = end - start < 2 * DAY_MS;
  return [0, 0.5, 1].map((share) => {
    const text = formatTime(new Date(start + share * (end - start)).toISOString());
    const isClose = end - start < 10 * 60_000;
    return { share, text: isClose ? text.slice(11) : isShort ? text.slice(5, 16) : text.slice(0, 10) };
  });
}
