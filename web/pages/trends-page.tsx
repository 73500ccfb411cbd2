import { useMemo } from 'preact/hooks';
import type { RunRow, TargetRow } from '../../src/base/model/page-data.ts';
import { runSeries, type RunSeries, type SeriesPoint } from '../charts/run-series.ts';
import { TrendCharts, type TrendPoint } from '../charts/trend-charts.tsx';
import { Headline } from '../headline/headline.tsx';
import { Choice } from '../parts/choice.tsx';
import { Command } from '../parts/command.tsx';
import { PageFrame } from '../parts/page-frame.tsx';
import { RateRange } from '../parts/rate-range.tsx';
import { Empty, LoadNotice } from '../parts/trouble.tsx';
import { VerdictCounts } from '../parts/verdict-counts.tsx';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import { linkTo, replaceRoute } from '../route/route.ts';
import { runLabel, runOutcome } from '../run/run-name.ts';
import { RunOrigin } from '../run/run-origin.tsx';
import { useSource } from '../source/source-context.ts';
import { useLoaded } from '../source/use-loaded.ts';
import type { Column } from '../table/column.ts';
import { Table } from '../table/table.tsx';
import { formatCost, formatDuration, formatPercent, plural } from '../text/format.ts';
import { Text } from '../text/text.tsx';

/** The runs of one suite over time. */
export function TrendsPage({ query }: { readonly query: URLSearchParams }) {
  const source = useSource();
  const loaded = useLoaded((signal) => source.runs(signal), [source]);
  return (
    <PageFrame title="Trends" heading="Trends">
      <LoadNotice {...loaded} />
      {loaded.value !== undefined && <Trends all={loaded.value} query={query} />}
    </PageFrame>
  );
}

function Trends({ all, query }: { readonly all: readonly RunRow[]; readonly query: URLSearchParams }) {
  const every = useMemo(() => runSeries(all), [all]);
  const [newest] = every;
  if (newest === undefined) return <NoTrends hasRuns={all.length > 0} />;
  const suite = query.get('suite') ?? newest.name;
  const ofSuite = every.filter(({ name }) => name === suite);
  const agent = query.get('agent') ?? ofSuite[0]?.agent ?? '';
  const series = ofSuite.find((one) => one.agent === agent);
  return (
    <>
      <div class="line toolbar">
        <Choice
          label="Files"
          value={suite}
          options={[...new Set(every.map(({ name }) => name))]}
          onChange={(value) => replaceRoute(linkTo(['trends'], { suite: value }))}
        />
        <Choice
          label="Agent"
          value={agent}
          options={ofSuite.map((one) => one.agent)}
          onChange={(value) => replaceRoute(linkTo(['trends'], { suite, agent: value }))}
        />
        {series !== undefined && <SeriesLine series={series} />}
      </div>
      {series === undefined ? (
        <Empty title="There are no comparable runs of these files by this agent." />
      ) : (
        <>
          <Headline outcome={undefined} sentence={trendHeadline(series.points)} />
          <TrendCharts points={series.points.map(trendPoint)} time={LATENCY} />
          <Table
            label="The runs in numbers"
            columns={COLUMNS}
            rows={series.points.toReversed()}
            keyOf={({ run }) => run.run_id}
          />
        </>
      )}
    </>
  );
}

function NoTrends({ hasRuns }: { readonly hasRuns: boolean }) {
  return (
    <Empty title={hasRuns ? 'No comparable runs yet.' : 'No finished runs yet.'}>
      <p>A trend needs a few runs of the same files, each complete and without filters:</p>
      <Command line="assay run" />
    </Empty>
  );
}

function SeriesLine({ series: { points, name, agent, leftOut } }: { readonly series: RunSeries }) {
  return (
    <span class="dim">
      {plural(points.length, 'run')} of <Text value={name} /> by <Text value={agent} />
      {leftOut > 0 &&
        `; ${plural(leftOut, 'run')} left out: only a part of the tests, not ended, or not measured well enough`}
    </span>
  );
}

function trendPoint({ run, result }: SeriesPoint): TrendPoint {
  const { median, p95 } = result.latency_ms ?? {};
  const time = { value: median, low: median, high: p95 };
  return { run, rate: result.pass_rate, time, costUsd: result.attempt_cost_usd };
}

const LATENCY = { title: 'Latency', bandName: 'range from the median to the 95th percentile' };

const COLUMNS: readonly Column<SeriesPoint>[] = [
  {
    name: 'run',
    title: 'Run',
    cell: ({ run }) => (
      <>
        <VerdictMark outcome={runOutcome(run)} /> <a href={linkTo(['runs', run.run_id])}>{runLabel(run)}</a>
      </>
    ),
  },
  { name: 'revision', title: 'Commit', cell: ({ run }) => <RunOrigin run={run} /> },
  { name: 'verdicts', title: 'Verdicts', cell: ({ result }) => <VerdictCounts counts={result.summary} /> },
  {
    name: 'rate',
    title: 'Pass rate',
    isNumber: true,
    cell: ({ result }) => <RateRange rate={result.pass_rate} />,
  },
  number('Median', ({ latency_ms }) => formatDuration(latency_ms?.median)),
  number('p95', ({ latency_ms }) => formatDuration(latency_ms?.p95)),
  number('Cost', ({ cost_usd }) => formatCost(cost_usd)),
  number('Cost per attempt', ({ attempt_cost_usd }) => formatCost(attempt_cost_usd)),
];

function number(title: string, read: (result: TargetRow) => string): Column<SeriesPoint> {
  return { name: title, title, isNumber: true, cell: ({ result }) => read(result) };
}

/** What the newest run came to, against the one before. */
function trendHeadline(points: readonly SeriesPoint[]): string {
  const [last, before] = [points.at(-1)?.result.pass_rate, points.at(-2)?.result.pass_rate];
  const now = `${formatPercent(last?.rate)} passed in the newest of ${plural(points.length, 'run')}`;
  return before === undefined ? now : `${now}; ${formatPercent(before.rate)} in the one before`;
}
