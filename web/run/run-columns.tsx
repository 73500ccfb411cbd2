import type { RunRow } from '../../src/base/model/page-data.ts';
import { Icon } from '../parts/icon.tsx';
import { RateRange } from '../parts/rate-range.tsx';
import { VerdictBar } from '../parts/verdict-bar.tsx';
import { VerdictCounts } from '../parts/verdict-counts.tsx';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import { linkTo } from '../route/route.ts';
import type { Columns } from '../table/column.ts';
import { formatAgo, formatCost, formatCount, formatDuration, formatTime, UNKNOWN } from '../text/format.ts';
import { Text } from '../text/text.tsx';
import { costNoteOf } from './run-cost.tsx';
import { runName, runOutcome, STATE_NAMES } from './run-name.ts';
import { RunOrigin } from './run-origin.tsx';

interface ColumnOptions {
  readonly runs: readonly RunRow[];
  readonly now: number;
  readonly isChosen: (run: RunRow) => boolean;
  readonly onChoose: (run: RunRow) => void;
}

/** The columns of the list of runs. Those that say the same in every row are left out. */
export function runColumns({ runs, now, isChosen, onChoose }: ColumnOptions): Columns<RunRow> {
  const differ = (read: (run: RunRow) => unknown): boolean => new Set(runs.map(read)).size > 1;
  const hasAgents = differ(({ targets }) => targets.join(', '));
  return [
    {
      name: 'run',
      title: 'Run',
      width: 'minmax(14rem, 2fr)',
      phone: { order: 0 },
      cell: (run) => <RunTitle run={run} now={now} hasAgents={hasAgents} />,
    },
    hasAgents && {
      name: 'agent',
      title: 'Agent',
      width: 'minmax(5rem, 1fr)',
      from: 1400,
      cell: ({ targets }) => <Text value={targets.join(', ')} />,
    },
    differ(({ git_revision, git_branch }) => `${git_revision} ${git_branch}`) && {
      name: 'revision',
      title: 'Commit',
      width: 'minmax(8rem, 1.4fr)',
      from: 1100,
      cell: (run) => (run.git_revision === undefined ? UNKNOWN : <RunOrigin run={run} />),
    },
    {
      name: 'verdicts',
      title: 'Verdicts',
      width: 'minmax(11rem, 15rem)',
      phone: { order: 2, isWide: true },
      cell: ({ summary }) => (
        <>
          <VerdictBar counts={summary} />
          <VerdictCounts counts={{ ...summary, flaky: 0 }} />
        </>
      ),
    },
    {
      name: 'rate',
      title: 'Pass rate',
      width: '11.5rem',
      isNumber: true,
      cell: ({ pass_rate }) => <RateRange rate={pass_rate} />,
    },
    differ(({ summary }) => summary.flaky) && {
      name: 'flaky',
      title: 'Flaky',
      width: '3rem',
      isNumber: true,
      from: 1400,
      cell: ({ summary: { flaky } }) =>
        flaky === 0 ? (
          <span class="dim">0</span>
        ) : (
          <span class="mark-flaky count">
            <Icon name="flaky" label="Flaky" /> {formatCount(flaky)}
          </span>
        ),
    },
    {
      name: 'cost',
      title: 'Cost',
      width: '4rem',
      isNumber: true,
      from: 950,
      cell: (run) => (
        <span title={`${formatCost(run.cost_usd)}${costNoteOf(run)}`}>{formatCost(run.cost_usd)}</span>
      ),
    },
    {
      name: 'latency',
      title: 'Latency',
      width: '4.5rem',
      isNumber: true,
      from: 1400,
      cell: ({ latency_ms: latency }) =>
        latency === undefined ? (
          UNKNOWN
        ) : (
          <span title={`median ${formatDuration(latency.median)}, 95% under ${formatDuration(latency.p95)}`}>
            {formatDuration(latency.median)}
          </span>
        ),
    },
    {
      name: 'took',
      title: 'Duration',
      width: '5rem',
      isNumber: true,
      from: 950,
      cell: ({ summary }) => formatDuration(summary.duration_ms),
    },
    {
      name: 'choose',
      title: 'Compare',
      width: '4rem',
      phone: { order: 1 },
      cell: (run) => (
        <input
          type="checkbox"
          tabIndex={-1}
          checked={isChosen(run)}
          aria-label={`Compare the run of ${formatTime(run.started_at)}`}
          onChange={() => onChoose(run)}
        />
      ),
    },
  ];
}

function RunTitle({
  run,
  now,
  hasAgents,
}: {
  readonly run: RunRow;
  readonly now: number;
  readonly hasAgents: boolean;
}) {
  return (
    <>
      <VerdictMark outcome={runOutcome(run)} />
      <span class="two-lines">
        <a class="name" href={linkTo(['runs', run.run_id])} tabIndex={-1}>
          {run.name === undefined ? formatTime(run.started_at) : <Text value={run.name} />}
          {STATE_NAMES[run.state] !== undefined && <em class="state">{STATE_NAMES[run.state]}</em>}
          {run.merged_from !== undefined && <em class="state is-quiet">merged</em>}
        </a>
        <span class="dim">
          {run.name === undefined ? formatAgo(run.started_at, now) : formatTime(run.started_at)} ·{' '}
          <Text value={runName(run)} />
          {hasAgents && (
            <span class="narrow-agent">
              {' '}
              · <Text value={run.targets.join(', ')} />
            </span>
          )}
        </span>
      </span>
    </>
  );
}
