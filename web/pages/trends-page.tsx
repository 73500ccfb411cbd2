import type { RunRow } from '../../src/model/page-data.ts';
import { Chart, type ChartPoint } from '../charts/chart.tsx';
import { comparableRuns } from '../charts/comparable-runs.ts';
import { Choice } from '../parts/choice.tsx';
import { Command } from '../parts/command.tsx';
import { NumbersTable } from '../parts/numbers-table.tsx';
import { PageFrame } from '../parts/page-frame.tsx';
import { RateRange } from '../parts/rate-range.tsx';
import { Empty, Loading, Trouble } from '../parts/trouble.tsx';
import { VerdictCounts } from '../parts/verdict-counts.tsx';
import { linkTo, replaceRoute } from '../route/route.ts';
import { RunMark } from '../run/run-cells.tsx';
import { useSource } from '../source/source-context.ts';
import { useLoaded } from '../source/use-loaded.ts';
import { formatCost, formatDuration, formatPercent, formatTime, plural } from '../text/format.ts';
import { Text } from '../text/text.tsx';

/** The runs of one suite over time. */
export function TrendsPage({ query }: { readonly query: URLSearchParams }) {
  const source = useSource();
  const loaded = useLoaded((signal) => source.runs(signal), [source]);
  return (
    <PageFrame title="Trends" heading="Trends">
      {loaded.state === 'loading' && <Loading />}
      {loaded.state === 'failed' && <Trouble error={loaded.error} />}
      {loaded.state === 'ready' && <Trends all={loaded.value} query={query} />}
    </PageFrame>
  );
}

function Trends({ all, query }: { readonly all: readonly RunRow[]; readonly query: URLSearchParams }) {
  const chosen = { suite: query.get('suite') ?? undefined, agent: query.get('agent') ?? undefined };
  const { runs, suite, agent, suites, agents } = comparableRuns(all, chosen);
  if (suites.length === 0) {
    return (
      <Empty title="No finished runs yet.">
        <p>A trend needs a few runs of the same files:</p>
        <Command line="assay run" />
      </Empty>
    );
  }
  return (
    <>
      <div class="toolbar">
        <Choice
          label="Files"
          value={suite}
          options={suites}
          onChange={(value) => replaceRoute(linkTo(['trends'], { suite: value }))}
        />
        <Choice
          label="Agent"
          value={agent}
          options={agents}
          onChange={(value) => replaceRoute(linkTo(['trends'], { suite, agent: value }))}
        />
        <span class="dim">
          {plural(runs.length, 'run')} of <Text value={suite} /> by <Text value={agent} />
        </span>
      </div>
      <RunCharts runs={runs} />
      <RunTable runs={runs.toReversed()} />
    </>
  );
}

function RunCharts({ runs }: { readonly runs: readonly RunRow[] }) {
  const pointsOf = (read: (run: RunRow) => Omit<ChartPoint, 'label' | 'link'>): readonly ChartPoint[] =>
    runs.map((run) => ({
      label: formatTime(run.started_at),
      link: linkTo(['runs', run.run_id]),
      ...read(run),
    }));
  return (
    <div class="charts">
      <Chart
        title="Pass rate"
        bandName="95 % interval"
        bounds={[0, 1]}
        format={formatPercent}
        points={pointsOf(({ pass_rate: rate }) => ({ value: rate?.rate, low: rate?.low, high: rate?.high }))}
      />
      <Chart
        title="Latency"
        bandName="range from the median to the 95th percentile"
        format={formatDuration}
        points={pointsOf(({ latency_ms: latency }) => ({
          value: latency?.median,
          low: latency?.median,
          high: latency?.p95,
        }))}
      />
      <Chart title="Cost" format={formatCost} points={pointsOf(({ cost_usd }) => ({ value: cost_usd }))} />
    </div>
  );
}

function RunTable({ runs }: { readonly runs: readonly RunRow[] }) {
  return (
    <NumbersTable words={['Run', 'Verdicts', 'Pass rate']} numbers={['Median', 'p95', 'Cost']}>
      {runs.map((run) => (
        <tr key={run.run_id}>
          <th scope="row">
            <RunMark run={run} /> <a href={linkTo(['runs', run.run_id])}>{formatTime(run.started_at)}</a>
          </th>
          <td>
            <VerdictCounts counts={run.summary} />
          </td>
          <td>
            <RateRange rate={run.pass_rate} />
          </td>
          <td class="number">{formatDuration(run.latency_ms?.median)}</td>
          <td class="number">{formatDuration(run.latency_ms?.p95)}</td>
          <td class="number">{formatCost(run.cost_usd)}</td>
        </tr>
      ))}
    </NumbersTable>
  );
}
