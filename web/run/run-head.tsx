import type { ComponentChildren } from 'preact';
import { runHeadline } from '../../src/model/run-headline.ts';
import type { RunRow } from '../../src/model/page-data.ts';
import { CompareChoice } from '../compare/compare-choice.tsx';
import { GateList } from '../headline/gate-list.tsx';
import { Headline } from '../headline/headline.tsx';
import { NextSteps } from '../headline/next-steps.tsx';
import { useSince } from '../headline/use-since.ts';
import { Fact, Facts } from '../parts/fact.tsx';
import { LargeRate } from '../parts/rate-range.tsx';
import { VerdictBar } from '../parts/verdict-bar.tsx';
import { VerdictCounts } from '../parts/verdict-counts.tsx';
import { useSource } from '../source/source-context.ts';
import type { RunDetail } from '../source/source.ts';
import { TargetRanking } from '../targets/target-ranking.tsx';
import { formatDuration, formatTime } from '../text/format.ts';
import { jsonText } from '../text/json/json-text.ts';
import { LongText } from '../text/long-text.tsx';
import { Text } from '../text/text.tsx';
import { RunCost } from './run-cost.tsx';
import { RunOrigin } from './run-origin.tsx';

/** What a run came to: one sentence, one number, then the details. */
export function RunHead({
  detail: { run, description, live },
  children,
}: {
  readonly detail: RunDetail;
  /** The charts, where there is room for them. */
  readonly children?: ComponentChildren;
}) {
  const source = useSource();
  const since = useSince(run);
  const { outcome, sentence } = runHeadline(run, { planned: live?.planned, since });
  // A few targets leave room below them; one, or many, leave it below the sentence.
  const isRight = run.by_target.length === 2 || run.by_target.length === 3;
  return (
    <section class="run-head" aria-label="Summary">
      <div class={isRight ? 'hero charts-right' : 'hero charts-left'}>
        <Headline outcome={outcome} sentence={sentence}>
          {run.damage !== undefined && <Damage messages={run.damage} />}
          <GateList run={run} />
          {(run.left_out ?? []).map((left) => (
            <p key={left} class="hint">
              <Text value={left} />
            </p>
          ))}
          <NextSteps run={run} description={description} since={since} />
        </Headline>
        <div class="card hero-numbers">
          {run.by_target.length > 1 ? <TargetRanking run={run} /> : <LargeRate rate={run.pass_rate} />}
          {run.state !== 'running' && <VerdictBar counts={run.summary} />}
          <VerdictCounts counts={run.summary} />
        </div>
        <div class="hero-charts">{children}</div>
      </div>
      <div class="run-meta">
        <RunFacts run={run} />
        <div class="run-actions">
          {source.holds === 'all runs' && <CompareChoice run={run} />}
          {description !== undefined && (
            <details>
              <summary>Options</summary>
              <LongText className="code" value={jsonText(description)} />
            </details>
          )}
        </div>
      </div>
    </section>
  );
}

function RunFacts({ run }: { readonly run: RunRow }) {
  const { latency_ms: latency } = run;
  return (
    <Facts>
      {run.name !== undefined && (
        <Fact name="Name">
          <Text value={run.name} />
        </Fact>
      )}
      <Fact name="Started">{formatTime(run.started_at)}</Fact>
      <Fact name="Took">{formatDuration(run.summary.duration_ms)}</Fact>
      {run.targets.length === 1 && (
        <Fact name="Agent">
          <Text value={run.targets[0]!} />
        </Fact>
      )}
      {latency !== undefined && (
        <Fact name="Latency">
          {formatDuration(latency.median)} median, {formatDuration(latency.p95)} p95
        </Fact>
      )}
      <Fact name="Cost">
        <RunCost run={run} />
      </Fact>
      {run.git_revision !== undefined && (
        <Fact name="Revision">
          <RunOrigin run={run} />
        </Fact>
      )}
      {run.exit_code !== undefined && <Fact name="Exit code">{run.exit_code}</Fact>}
      <Fact name="Run">
        <code>
          <Text value={run.run_id} />
        </code>
      </Fact>
    </Facts>
  );
}

/** Missing results must not be taken for passes. */
function Damage({ messages }: { readonly messages: readonly string[] }) {
  return (
    <ul class="damage" role="alert" aria-label="Damage">
      {messages.map((message) => (
        <li key={message}>
          <Text value={message} />
        </li>
      ))}
    </ul>
  );
}
