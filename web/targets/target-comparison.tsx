import { useRef } from 'preact/hooks';
import { points, pWords, targetComparisonWords } from '../../src/base/model/comparison-headline.ts';
import { numbered } from '../../src/base/model/grouped.ts';
import type { Comparison } from '../../src/base/model/comparison.ts';
import type { TargetRow } from '../../src/base/model/page-data.ts';
import { IntervalBar } from '../parts/rate-range.tsx';
import { niceTicks } from '../charts/paths.ts';
import { useWidth } from '../charts/use-width.ts';
import { RunAgain } from '../run/run-again.tsx';
import { useSource } from '../source/source-context.ts';
import { useLoaded } from '../source/use-loaded.ts';
import type { Column } from '../table/column.ts';
import { Table } from '../table/table.tsx';
import { formatCost, formatPercent, UNKNOWN } from '../text/format.ts';
import { Text } from '../text/text.tsx';
import './target-comparison.css';

/** Whether one target is better than another, or chance explains it; and what each pass costs. */
export function TargetComparison({
  runId,
  targets,
  again,
}: {
  readonly runId: string;
  /** The names of the targets in the description of the run, if they can be run again. */
  readonly again: readonly string[] | undefined;
  readonly targets: readonly TargetRow[];
}) {
  const source = useSource();
  const loaded = useLoaded((signal) => source.compareTargets(runId, signal), [source, runId]);
  const comparisons = loaded.value ?? [];
  return (
    <section class="stack gap-3 target-comparison" aria-labelledby="target-comparison">
      <h2 id="target-comparison">Comparison of the targets</h2>
      {again !== undefined && (
        <p class="line">
          {targets.map(({ target, summary, cost_usd }) => (
            <RunAgain
              key={target}
              name={`Run ${target} again`}
              runId={runId}
              request={{ what: 'target', target: again.indexOf(target) }}
              estimate={{ attempts: summary.attempts, costUsd: cost_usd }}
            />
          ))}
        </p>
      )}
      {comparisons.length > 0 && (
        <Table
          label="Paired comparison of the targets"
          columns={COLUMNS}
          rows={comparisons}
          keyOf={(_, index) => index}
        />
      )}
      <CostScatter targets={targets} />
    </section>
  );
}

/** Differences of rates are between -1 and 1: the middle of the bar is no difference. */
const inBar = (difference: number): number => (difference + 1) / 2;

const namesOf = (side: Comparison['before']): string => side.targets.join(', ');

const COLUMNS: readonly Column<Comparison>[] = [
  {
    name: 'pair',
    title: 'Compared',
    cell: ({ before, after }) => (
      <>
        <Text value={namesOf(after)} /> <span class="dim">against</span> <Text value={namesOf(before)} />
      </>
    ),
  },
  {
    name: 'difference',
    title: 'Difference',
    isNumber: true,
    cell: ({ verdicts: { difference } }) =>
      difference === undefined ? UNKNOWN : `${points(difference.value)} points`,
  },
  {
    name: 'interval',
    title: '95% interval',
    cell: ({ verdicts: { difference } }) =>
      difference !== undefined && (
        <span class="difference">
          <IntervalBar
            value={inBar(difference.value)}
            low={inBar(difference.low)}
            high={inBar(difference.high)}
            width={120}
            hasMiddle
          />{' '}
          {points(difference.low)} to {points(difference.high)}
        </span>
      ),
  },
  {
    name: 'p',
    title: 'p-value',
    isNumber: true,
    cell: ({ verdicts: { p_value } }) => (p_value === undefined ? UNKNOWN : pWords(p_value)),
  },
  {
    name: 'reading',
    title: 'Reading',
    cell: (comparison) => <span title={targetComparisonWords(comparison)}>{readingOf(comparison)}</span>,
  },
];

function readingOf({ verdicts: { p_value, repeats_to_settle }, alpha }: Comparison): string {
  if (p_value === undefined) return 'nothing to tell';
  if (p_value < alpha) return 'more than chance';
  const more = repeats_to_settle;
  return more === undefined
    ? 'could be chance'
    : `could be chance; about ${numbered(more, 'more repeat')} per test would settle it`;
}

const HEIGHT = 220;
const MARGIN = { top: 12, right: 24, bottom: 34, left: 56 };

/** Cost per attempt against pass rate, each target with the 95% interval of its rate. */
function CostScatter({ targets }: { readonly targets: readonly TargetRow[] }) {
  const svg = useRef<SVGSVGElement>(null);
  const width = useWidth(svg);
  const known = targets.flatMap(({ target, pass_rate, agent_cost_usd, attempt_cost_usd, summary }) => {
    const cost =
      attempt_cost_usd ?? (agent_cost_usd === undefined ? undefined : agent_cost_usd / summary.attempts);
    return pass_rate === undefined || cost === undefined ? [] : [{ target, rate: pass_rate, cost }];
  });
  if (known.length < 2) return null;
  const ticks = niceTicks([0, Math.max(...known.map(({ cost }) => cost))]);
  const top = ticks.at(-1)!;
  const x = (cost: number): number =>
    MARGIN.left + (top === 0 ? 0 : cost / top) * (width - MARGIN.left - MARGIN.right);
  const y = (rate: number): number => HEIGHT - MARGIN.bottom - rate * (HEIGHT - MARGIN.top - MARGIN.bottom);
  return (
    <figure class="cost-scatter card">
      <figcaption>
        Pass rate against cost per attempt <span class="dim">with 95% intervals</span>
      </figcaption>
      <svg
        ref={svg}
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={known
          .map(({ target, rate, cost }) => `${target}: ${formatPercent(rate.rate)} for ${formatCost(cost)}`)
          .join('; ')}
      >
        {[0, 0.25, 0.5, 0.75, 1].map((rate) => (
          <g key={rate} class="tick-line">
            <path d={`M${MARGIN.left} ${y(rate)}H${width - MARGIN.right}`} />
            <text x={MARGIN.left - 8} y={y(rate) + 4}>
              {formatPercent(rate)}
            </text>
          </g>
        ))}
        {ticks.map((tick) => (
          <text key={tick} class="chart-time" x={x(tick)} y={HEIGHT - 12} text-anchor="middle">
            {formatCost(tick)}
          </text>
        ))}
        {known.map(({ target, rate, cost }) => (
          <g key={target} class="scatter-point">
            <path d={`M${x(cost)} ${y(rate.low)}V${y(rate.high)}`} />
            <circle cx={x(cost)} cy={y(rate.rate)} r="4" />
          </g>
        ))}
        {labelsOf(known.map(({ target, rate, cost }) => ({ name: target, x: x(cost), y: y(rate.rate) }))).map(
          ({ name, x: at, y: line }) => (
            <text
              key={name}
              class="scatter-name"
              x={at + (at > width * 0.7 ? -9 : 9)}
              y={line + 4}
              text-anchor={at > width * 0.7 ? 'end' : 'start'}
            >
              {name}
            </text>
          ),
        )}
      </svg>
    </figure>
  );
}

interface Label {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

const LINE = 14;
const LETTER = 7;

/** The names of points that are close stand one below the other. */
function labelsOf(labels: readonly Label[]): readonly Label[] {
  const placed: Label[] = [];
  for (const { name, x, y } of labels.toSorted((a, b) => a.y - b.y)) {
    const near = placed.filter(
      (other) => Math.abs(other.x - x) < LETTER * Math.max(name.length, other.name.length),
    );
    placed.push({ name, x, y: Math.max(y, ...near.map((other) => other.y + LINE)) });
  }
  return placed;
}
