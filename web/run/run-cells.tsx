import type { RunRow } from '../../src/model/page-data.ts';
import { Cell } from '../grid/cell.tsx';
import { Icon } from '../parts/icon.tsx';
import { RateRange } from '../parts/rate-range.tsx';
import { VerdictBar } from '../parts/verdict-bar.tsx';
import { VerdictCounts } from '../parts/verdict-counts.tsx';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import { linkTo } from '../route/route.ts';
import { formatAgo, formatCost, formatCount, formatDuration, formatTime, UNKNOWN } from '../text/format.ts';
import { Text } from '../text/text.tsx';
import { RunOrigin } from './run-origin.tsx';
import { costNote } from './run-cost.tsx';
import { runName, runOutcome, STATE_NAMES, type RunSigns } from './run-name.ts';

/** A run in the list of runs. */
export function RunCells({
  run,
  now,
  isChosen,
  onChoose,
}: {
  readonly run: RunRow;
  readonly now: number;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) {
  const { summary, latency_ms: latency } = run;
  return (
    <>
      <Cell name="run">
        <RunMark run={run} />
        <span class="two-lines">
          <a class="name" href={linkTo(['runs', run.run_id])} tabIndex={-1}>
            {run.name !== undefined && (
              <>
                <Text value={run.name} /> ·{' '}
              </>
            )}
            {formatTime(run.started_at)}
            {STATE_NAMES[run.state] !== undefined && <em class="state">{STATE_NAMES[run.state]}</em>}
          </a>
          <span class="dim">
            {formatAgo(run.started_at, now)} · <Text value={runName(run)} />
            <span class="narrow-agent">
              {' '}
              · <Text value={run.targets.join(', ')} />
            </span>
          </span>
        </span>
      </Cell>
      <Cell name="agent">
        <Text value={run.targets.join(', ')} />
      </Cell>
      <Cell name="verdicts">
        <VerdictBar counts={summary} />
        <VerdictCounts counts={{ ...summary, flaky: 0 }} />
      </Cell>
      <Cell name="rate">
        <RateRange rate={run.pass_rate} />
      </Cell>
      <Cell name="flaky">
        {summary.flaky > 0 ? (
          <span class="mark-flaky count">
            <Icon name="flaky" label="Flaky" /> {formatCount(summary.flaky)}
          </span>
        ) : (
          <span class="dim">0</span>
        )}
      </Cell>
      <Cell name="cost">
        <span title={`${formatCost(run.cost_usd)}${costNote(run)}`}>{formatCost(run.cost_usd)}</span>
      </Cell>
      <Cell name="latency">
        {latency === undefined ? (
          UNKNOWN
        ) : (
          <span title={`median ${formatDuration(latency.median)}, 95% under ${formatDuration(latency.p95)}`}>
            {formatDuration(latency.median)}
          </span>
        )}
      </Cell>
      <Cell name="took">{formatDuration(summary.duration_ms)}</Cell>
      <Cell name="revision">{run.git_revision === undefined ? UNKNOWN : <RunOrigin run={run} />}</Cell>
      <Cell name="choose">
        <input
          type="checkbox"
          tabIndex={-1}
          checked={isChosen}
          aria-label={`Compare the run of ${formatTime(run.started_at)}`}
          onChange={onChoose}
        />
      </Cell>
    </>
  );
}

export function RunMark({ run }: { readonly run: RunSigns }) {
  const outcome = runOutcome(run);
  return outcome === 'running' ? (
    <span class="mark mark-running">
      <Icon name="running" label="Running" />
    </span>
  ) : (
    <VerdictMark outcome={outcome} />
  );
}
