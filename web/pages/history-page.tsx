import type { HistoryPoint } from '../../src/base/model/page-data.ts';
import { TrendCharts, type TrendPoint } from '../charts/trend-charts.tsx';
import type { TestName } from '../../src/base/model/test-map.ts';
import { Headline } from '../headline/headline.tsx';
import { PageFrame } from '../parts/page-frame.tsx';
import { RateRange } from '../parts/rate-range.tsx';
import { Empty, LoadNotice } from '../parts/trouble.tsx';
import { OUTCOME_NAMES, VerdictMark } from '../parts/verdict-mark.tsx';
import { linkTo } from '../route/route.ts';
import { RunOrigin } from '../run/run-origin.tsx';
import { useSource } from '../source/source-context.ts';
import { useLoaded } from '../source/use-loaded.ts';
import type { Column } from '../table/column.ts';
import { Table } from '../table/table.tsx';
import { formatCost, formatDuration, formatScore, formatTime, plural } from '../text/format.ts';
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
  const points = loaded.value ?? [];
  return (
    <PageFrame title={`History of ${name.test}`} heading={<Text value={name.test} />} crumbs={[]}>
      <p class="dim">
        <Text value={name.file} /> · <Text value={name.target} />
      </p>
      <LoadNotice {...loaded} />
      {loaded.value?.length === 0 && <Empty title="No run contains this test." />}
      {points.length > 0 && <Headline {...historyHeadline(points)} />}
      {points.length > 0 && <TrendCharts points={points.map(trendPoint)} time={{ title: 'Duration' }} />}
      {points.length > 0 && (
        <Table
          label="The runs in numbers"
          columns={historyColumns(name, points)}
          rows={points.toReversed()}
          keyOf={({ run_id }) => run_id}
        />
      )}
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
  const { passed = 0, measured = 0 } = newest.pass_rate ?? {};
  const words = OUTCOME_NAMES[newest.verdict];
  const attempts = measured > 1 ? ` (${passed} of ${measured} attempts passed)` : '';
  return {
    outcome: newest.verdict,
    sentence: `${words} in the newest run${attempts}; passed in ${good} of ${plural(points.length, 'run')}`,
  };
}

function trendPoint(run: HistoryPoint): TrendPoint {
  return { run, rate: run.pass_rate, time: { value: run.duration_ms }, costUsd: run.cost_usd };
}

const COMMIT: Column<HistoryPoint> = {
  name: 'revision',
  title: 'Commit',
  cell: (point) => <RunOrigin run={point} />,
};

function historyColumns(name: TestName, points: readonly HistoryPoint[]): readonly Column<HistoryPoint>[] {
  const linkOf = (runId: string): string =>
    linkTo(['runs', runId], { q: name.test, file: name.file, agent: name.target });
  const number = (title: string, cell: (point: HistoryPoint) => string): Column<HistoryPoint> => ({
    name: title,
    title,
    isNumber: true,
    cell,
  });
  return [
    {
      name: 'run',
      title: 'Run',
      cell: (point) => (
        <>
          <VerdictMark outcome={point.verdict} />{' '}
          {point.is_flaky && (
            <>
              <VerdictMark outcome="flaky" />{' '}
            </>
          )}
          <a href={linkOf(point.run_id)}>{formatTime(point.started_at)}</a>
          {point.is_damaged === true && <em class="state">damaged</em>}
        </>
      ),
    },
    ...(points.some(({ git_revision }) => git_revision !== undefined) ? [COMMIT] : []),
    {
      name: 'problem',
      title: 'Problem',
      cell: ({ problem }) => problem !== undefined && <Text value={problem} />,
    },
    {
      name: 'rate',
      title: 'Pass rate',
      isNumber: true,
      cell: ({ pass_rate }) => <RateRange rate={pass_rate} />,
    },
    number('Errors', ({ errors }) => String(errors)),
    number('Score', ({ score }) => formatScore(score)),
    number('Duration', ({ duration_ms }) => formatDuration(duration_ms)),
    number('Cost per attempt', ({ cost_usd }) => formatCost(cost_usd)),
  ];
}
