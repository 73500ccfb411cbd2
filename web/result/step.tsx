import type { SourceExcerpt } from '../../src/model/page-data.ts';
import type { StepRecord, Verdict } from '../../src/model/record.ts';
import { Pieces } from '../parts/pieces.tsx';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import { formatCost, formatDuration, formatTokens, plural } from '../text/format.ts';
import { LongText } from '../text/long-text.tsx';
import { Assertion, outcomeOf } from './assertion.tsx';
import { ErrorNote } from './error-note.tsx';
import { MemoryDiff } from './memory-diff.tsx';
import { Transcript } from './transcript.tsx';

/** One step: the conversation, and its assertions beside it. */
export function Step({
  step,
  isOutputSaid,
  number,
  sources,
}: {
  readonly step: StepRecord;
  readonly isOutputSaid: boolean;
  readonly number: number;
  readonly sources: readonly SourceExcerpt[];
}) {
  const { assertions, error, printed, token_usage, cost_usd, duration_ms } = step;
  return (
    <section class="step" aria-labelledby={`step-${number}`}>
      <header class="step-head">
        <VerdictMark outcome={stepOutcome(step)} />
        <h2 id={`step-${number}`}>Step {number}</h2>
        <span class="dim">
          <span title="The time of the agent: what it reports, or what Assay measured">
            agent {formatDuration(duration_ms)}
          </span>
          {token_usage !== undefined && ` · ${formatTokens(token_usage)}`}
          {cost_usd !== undefined && ` · ${formatCost(cost_usd)}`}
        </span>
      </header>
      <div class="step-body">
        <div class="said">
          <Transcript step={step} isOutputSaid={isOutputSaid} />
          {error !== undefined && <ErrorNote error={error} />}
          <MemoryDiff before={step.memory_before} after={step.memory} />
          {printed !== undefined && printed !== '' && (
            <details>
              <summary>
                <span class="label">Printed by the agent</span> {plural(lineCount(printed), 'line')}
              </summary>
              <LongText className="code" value={printed} />
            </details>
          )}
        </div>
        <div class="claims">
          {assertions.length === 0 && <p class="dim">This step has no assertions.</p>}
          <Pieces items={assertions} first={30} what="assertions">
            {(assertion, index) => <Assertion key={index} assertion={assertion} sources={sources} />}
          </Pieces>
        </div>
      </div>
    </section>
  );
}

function stepOutcome({ assertions, error }: StepRecord): Verdict {
  const outcomes = assertions.map(outcomeOf);
  if (error !== undefined || outcomes.includes('error')) return 'error';
  if (outcomes.includes('failed')) return 'failed';
  return outcomes.length === 0 ? 'skipped' : 'passed';
}

function lineCount(text: string): number {
  return text.trimEnd().split('\n').length;
}
