import type { RunRow } from '../../src/model/page-data.ts';
import { linkTo } from '../route/route.ts';
import { formatCost, formatDuration, formatPercent } from '../text/format.ts';
import { comparableRuns } from './comparable-runs.ts';
import { Sparkline } from './sparkline.tsx';

/** The latest runs like the newest one, in three small lines. */
export function Sparklines({ runs }: { readonly runs: readonly RunRow[] }) {
  const { runs: like } = comparableRuns(runs, {});
  const recent = like.slice(-40);
  if (recent.length < 2) return null;
  const lines = [
    { name: 'Pass rate', values: recent.map(({ pass_rate }) => pass_rate?.rate), format: formatPercent },
    { name: 'Cost', values: recent.map(({ cost_usd }) => cost_usd), format: formatCost },
    {
      name: 'Median latency',
      values: recent.map(({ latency_ms }) => latency_ms?.median),
      format: formatDuration,
    },
  ].filter(({ values }) => values.filter((value) => value !== undefined).length >= 2);
  return (
    <a class="sparklines" href={linkTo(['trends'])}>
      <span class="visually-hidden">Trends of the last {recent.length} runs</span>
      {lines.map(({ name, values, format }) => (
        <span key={name} class="spark">
          <span class="dim">{name}</span>
          <span class="spark-value">{format(values.findLast((value) => value !== undefined))}</span>
          <Sparkline values={values} isShare={name === 'Pass rate'} />
        </span>
      ))}
    </a>
  );
}
