import type { HistoryPoint } from '../../src/model/page-data.ts';
import { Chart, type ChartPoint } from '../charts/chart.tsx';
import { Headline } from '../headline/headline.tsx';
import { NumbersTable } from '../parts/numbers-table.tsx';
import { PageFrame } from '../parts/page-frame.tsx';
import { RateRange } from '../parts/rate-range.tsx';
import { Empty, Loading, Trouble } from '../parts/trouble.tsx';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import { linkTo } from '../route/route.ts';
import { useSource } from '../source/source-context.ts';
import { useLoaded } from '../source/use-loaded.ts';
import {
  formatCost,
  formatDuration,
  formatPercent,
  formatScore,
  formatTime,
  plural,
} from '../text/format.ts';
import { Text } from '../text/text.tsx';

/** One test over all runs. */
export function HistoryPage({ query }: { readonly query: URLSearchParams }) {
  const source = useSource();
  const name = {
    file: query.get('file') ?? '',
    test: query.get('test') ?? '',
    target: query.get('target') ?? '',
  };
  const loaded = useLoaded((signal) => source.history(name, signal), [source, ...Object.values(name)]);
  const points = loaded.state === 'ready' ? loaded.value : [];
  return (
    <PageFrame
      title={`History of ${name.test}`}
      heading={<Text value={name.test} />}
      crumbs={[{ name: 'Runs', link: '#/' }]}
    >
      <p class="dim">
        <Text value={name.file} /> · <Text value={name.target} />
      </p>
      {loaded.state === 'loading' && <Loading />}
      {loaded.state === 'failed' && <Trouble error={loaded.error} />}
      {loaded.state === 'ready' && points.length === 0 && <Empty title="No run contains this test." />}
      {points.length > 0 && <Headline {...historyHeadline(points)} />}
      {points.length > 0 && <HistoryCharts points={points} />}
      {points.length > 0 && <HistoryTable points={points.toReversed()} name={name} />}
    </PageFrame>
  );
}

/** `points`: the oldest first. */
function historyHeadline(points: readonly HistoryPoint[]): {
  readonly outcome: HistoryPoint['verdict'];
  readonly sentence: string;
} {
  const newest = points.at(-1)!;
  const good = points.filter((point) => point.verdict === 'passed').length;
  const { passed = 0, measured = 0, errored } = newest.pass_rate ?? {};
  const last =
    measured === 0
      ? 'Not measured'
      : `${formatPercent(passed / measured)} of ${plural(measured, 'attempt')} passed${errored === undefined ? '' : `, ${errored} errored`}`;
  return {
    outcome: newest.verdict,
    sentence: `${last} in the newest run; passed in ${good} of ${plural(points.length, 'run')}`,
  };
}

function HistoryCharts({ points }: { readonly points: readonly HistoryPoint[] }) {
  const pointsOf = (
    read: (point: HistoryPoint) => Omit<ChartPoint, 'label' | 'link'>,
  ): readonly ChartPoint[] =>
    points.map((point) => ({
      label: formatTime(point.started_at),
      link: linkTo(['runs', point.run_id]),
      ...read(point),
    }));
  return (
    <div class="charts">
      <Chart
        title="Pass rate"
        bandName="95% interval"
        bounds={[0, 1]}
        format={formatPercent}
        points={pointsOf(({ pass_rate: rate }) => ({ value: rate?.rate, low: rate?.low, high: rate?.high }))}
      />
      <Chart
        title="Time"
        format={formatDuration}
        points={pointsOf(({ duration_ms }) => ({ value: duration_ms }))}
      />
      <Chart
        title="Cost per attempt"
        format={formatCost}
        points={pointsOf(({ cost_usd }) => ({ value: cost_usd }))}
      />
    </div>
  );
}

function HistoryTable({
  points,
  name,
}: {
  readonly points: readonly HistoryPoint[];
  readonly name: { readonly file: string; readonly test: string; readonly target: string };
}) {
  const linkOf = (runId: string): string =>
    linkTo(['runs', runId], { q: name.test, file: name.file, agent: name.target });
  return (
    <NumbersTable words={['Run', 'Pass rate']} numbers={['Errors', 'Score', 'Time', 'Cost per attempt']}>
      {points.map((point) => (
        <tr key={point.run_id}>
          <th scope="row">
            <VerdictMark outcome={point.verdict} />{' '}
            {point.is_flaky && (
              <>
                <VerdictMark outcome="flaky" />{' '}
              </>
            )}
            <a href={linkOf(point.run_id)}>{formatTime(point.started_at)}</a>
            {point.is_damaged === true && <em class="state">damaged</em>}
          </th>
          <td>
            <RateRange rate={point.pass_rate} />
          </td>
          <td class="number">{point.errors}</td>
          <td class="number">{formatScore(point.score)}</td>
          <td class="number">{formatDuration(point.duration_ms)}</td>
          <td class="number">{formatCost(point.cost_usd)}</td>
        </tr>
      ))}
    </NumbersTable>
  );
}
