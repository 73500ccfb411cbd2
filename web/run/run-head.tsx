import { CompareChoice } from '../compare/compare-choice.tsx';
import { Fact, Facts } from '../parts/fact.tsx';
import { RateRange } from '../parts/rate-range.tsx';
import { VerdictBar } from '../parts/verdict-bar.tsx';
import { VerdictCounts } from '../parts/verdict-counts.tsx';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import { useSource } from '../source/source-context.ts';
import type { RunDetail } from '../source/source.ts';
import { formatCost, formatDuration, formatTime } from '../text/format.ts';
import { jsonText } from '../text/json/json-text.ts';
import { LongText } from '../text/long-text.tsx';
import { Text } from '../text/text.tsx';
import { RunMark } from './run-cells.tsx';
import { STATE_NAMES } from './run-name.ts';

/** The results of a run, in numbers. */
export function RunHead({ detail: { run, description } }: { readonly detail: RunDetail }) {
  const source = useSource();
  const { summary, latency_ms: latency } = run;
  const state = STATE_NAMES[run.state];
  const unheld = (run.gates ?? []).filter(({ outcome }) => outcome !== 'held');
  return (
    <section class="run-head" aria-label="Summary">
      <div class="run-result">
        <RunMark run={run} />
        {run.state !== 'running' && <VerdictBar counts={summary} />}
        <VerdictCounts counts={summary} />
        <RateRange rate={run.pass_rate} />
      </div>
      {run.damage !== undefined && <Damage messages={run.damage} />}
      {unheld.length > 0 && (
        <ul class="run-gates" aria-label="Gates that do not hold">
          {unheld.map(({ gate, outcome, message }) => (
            <li key={gate}>
              <VerdictMark outcome={outcome === 'broken' ? 'failed' : 'error'} /> {gate} {outcome}:{' '}
              <Text value={message} />
            </li>
          ))}
        </ul>
      )}
      {(run.left_out ?? []).map((sentence) => (
        <p key={sentence} class="hint">
          <Text value={sentence} />
        </p>
      ))}
      <Facts>
        <Fact name="Started">
          {formatTime(run.started_at)}
          {state !== undefined && <em class="state">{state}</em>}
        </Fact>
        <Fact name="Took">{formatDuration(summary.duration_ms)}</Fact>
        <Fact name="Agent">
          <Text value={run.targets.join(', ')} />
        </Fact>
        {latency !== undefined && (
          <Fact name="Latency">
            {formatDuration(latency.median)} median, {formatDuration(latency.p95)} p95
          </Fact>
        )}
        <Fact name="Cost">{formatCost(run.cost_usd)}</Fact>
        {run.git_revision !== undefined && (
          <Fact name="Revision">
            <code>
              <Text value={run.git_revision.slice(0, 10)} />
            </code>
          </Fact>
        )}
        {run.exit_code !== undefined && <Fact name="Exit code">{run.exit_code}</Fact>}
        <Fact name="Run">
          <code>
            <Text value={run.run_id} />
          </code>
        </Fact>
      </Facts>
      <div class="run-actions">
        {description !== undefined && (
          <details>
            <summary>Options</summary>
            <LongText className="code" value={jsonText(description)} />
          </details>
        )}
        {source.holds === 'all runs' && <CompareChoice run={run} />}
      </div>
    </section>
  );
}

/** Missing results must not be taken for passes. */
function Damage({ messages }: { readonly messages: readonly string[] }) {
  return (
    <div role="alert">
      <p>
        <VerdictMark outcome="error" /> This run is damaged: results may be missing or wrong.
      </p>
      <ul class="run-gates" aria-label="Damage">
        {messages.map((message) => (
          <li key={message}>
            <Text value={message} />
          </li>
        ))}
      </ul>
    </div>
  );
}
