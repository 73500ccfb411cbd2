import type { HistoryPoint, Rate, RunRow } from '../../src/base/model/page-data.ts';
import { linkTo } from '../route/route.ts';
import { runLabel } from '../run/run-name.ts';
import { formatCost, formatDuration, formatPercent } from '../text/format.ts';
import { Chart, type ChartPoint } from './chart.tsx';

type Values = Pick<ChartPoint, 'value' | 'low' | 'high'>;

/** What was measured in a run. */
export interface TrendPoint {
  readonly run: HistoryPoint | RunRow;
  readonly rate: Rate | undefined;
  readonly time: Values;
  readonly costUsd: number | undefined;
}

/** Pass rate, time and cost over runs, the oldest first. */
export function TrendCharts({
  points,
  time,
}: {
  readonly points: readonly TrendPoint[];
  readonly time: { readonly title: string; readonly bandName?: string };
}) {
  const valuesOf = (read: (point: TrendPoint) => Values): readonly ChartPoint[] =>
    points.map((point) => ({
      label: runLabel(point.run),
      link: linkTo(['runs', point.run.run_id]),
      startedAt: point.run.started_at,
      revision: point.run.git_revision,
      ...read(point),
    }));
  return (
    <div class="charts">
      <Chart
        title="Pass rate"
        bandName="95% interval"
        bounds={[0, 1]}
        format={formatPercent}
        points={valuesOf(({ rate }) => ({ value: rate?.rate, low: rate?.low, high: rate?.high }))}
      />
      <Chart {...time} format={formatDuration} points={valuesOf((point) => point.time)} />
      <Chart
        title="Cost per attempt"
        format={formatCost}
        points={valuesOf(({ costUsd }) => ({ value: costUsd }))}
      />
    </div>
  );
}
