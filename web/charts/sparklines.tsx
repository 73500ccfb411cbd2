import type { RunRow } from '../../src/base/model/page-data.ts';
import { linkTo } from '../route/route.ts';
import { formatCost, formatDuration, formatPercent } from '../text/format.ts';
import { Text } from '../text/text.tsx';
import { runSeries } from './run-series.ts';
import { Sparkline } from './sparkline.tsx';

/** The line with the newest run, in three small ones. */
export function Sparklines({ runs }: { readonly runs: readonly RunRow[] }) {
  const [series] = runSeries(runs);
  const recent = (series?.points ?? []).slice(-40).map(({ result }) => result);
  if (series === undefined || recent.length < 2) return null;
  const lines = [
    { name: 'Pass rate', values: recent.map(({ pass_rate }) => pass_rate?.rate), format: formatPercent },
    {
      name: 'Cost per attempt',
      values: recent.map(({ attempt_cost_usd }) => attempt_cost_usd),
      format: formatCost,
    },
    {
      name: 'Median latency',
      values: recent.map(({ latency_ms }) => latency_ms?.median),
      format: formatDuration,
    },
  ].filter(({ values }) => values.filter((value) => value !== undefined).length >= 2);
  return (
    <a class="sparklines" href={linkTo(['trends'])}>
      <span class="spark">
        <span class="visually-hidden">Trends of the last {recent.length} runs of </span>
        <span class="bold spark-value">
          <Text value={series.name} />
        </span>
        <span class="dim">
          <Text value={series.agent} />
        </span>
      </span>
      {lines.map(({ name, values, format }) => (
        <span key={name} class="spark">
          <span class="dim">{name}</span>
          <span class="bold spark-value">{format(values.findLast((value) => value !== undefined))}</span>
          <Sparkline values={values} isShare={name === 'Pass rate'} />
        </span>
      ))}
    </a>
  );
}
