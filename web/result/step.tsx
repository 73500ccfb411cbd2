import { useContext, useMemo } from 'preact/hooks';
import type { SourceExcerpt } from '../../src/base/model/page-data.ts';
import type { StepRecord, Verdict } from '../../src/base/model/record.ts';
import { Pieces } from '../parts/pieces.tsx';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import { formatCost, formatDuration, formatTokens, plural } from '../text/format.ts';
import { HighlightContext, type Highlight } from '../text/highlight.ts';
import { LongText } from '../text/long-text.tsx';
import { Assertion, outcomeOf } from './assertion.tsx';
import { CallContext, ScopeContext } from './call-links.tsx';
import { ErrorNote } from './error-note.tsx';
import { foundQuotes } from './judge/read-judgement.ts';
import { MemoryDiff } from './memory-diff.tsx';
import { Transcript } from './transcript.tsx';

/** One step: the conversation, and its assertions beside it. */
export function Step({
  step,
  isOutputSaid,
  isBroken,
  hasPassed,
  number,
  sources,
  quotes,
}: {
  readonly step: StepRecord;
  readonly isOutputSaid: boolean;
  /** The attempt ended here, before anything was checked. */
  readonly isBroken: boolean;
  /** In a test that passed, an evaluator that failed does not make its step fail. */
  readonly hasPassed: boolean;
  readonly number: number;
  readonly sources: readonly SourceExcerpt[];
  /** What the judges of the whole test quote. */
  readonly quotes: readonly string[];
}) {
  const { assertions, error, printed, token_usage, cost_usd, duration_ms } = step;
  const outer = useContext(HighlightContext);
  const { calls } = useContext(CallContext);
  const highlights = useMemo(
    () => [...outer, ...[...quotes, ...foundQuotes(assertions)].map(asQuote)],
    [outer, quotes, assertions],
  );
  return (
    <section class="step" aria-labelledby={`step-${number}`}>
      <header class="step-head">
        <VerdictMark outcome={hasPassed ? 'passed' : stepOutcome(step)} />
        <h2 id={`step-${number}`}>Step {number}</h2>
        <span class="dim">
          <span title="The time of the agent: what it reports, or what Assay measured">
            agent {formatDuration(duration_ms)}
          </span>
          {token_usage !== undefined && ` · ${formatTokens(token_usage)}`}
          {cost_usd !== undefined && ` · ${formatCost(cost_usd)}`}
        </span>
      </header>
      <div class={assertions.length === 0 ? 'step-body has-no-claims' : 'step-body'}>
        <div class="stack gap-3 said">
          <HighlightContext.Provider value={highlights}>
            <Transcript step={step} isOutputSaid={isOutputSaid} />
          </HighlightContext.Provider>
          {error !== undefined && <ErrorNote error={error} />}
          <MemoryDiff before={step.memory_before} after={step.memory} />
          {printed !== undefined && printed !== '' && (
            <details>
              <summary>
                <span class="label">Agent output</span> ({plural(lineCount(printed), 'line')})
              </summary>
              <LongText className="code" value={printed} />
            </details>
          )}
        </div>
        <ScopeContext.Provider value={calls.filter((one) => one.step === number)}>
          <div class="claims">
            {assertions.length === 0 && <Unchecked isBroken={error !== undefined || isBroken} />}
            <Pieces items={assertions} first={30} what="assertions">
              {(assertion, index) => (
                <Assertion key={index} assertion={assertion} output={step.output} sources={sources} />
              )}
            </Pieces>
          </div>
        </ScopeContext.Provider>
      </div>
    </section>
  );
}

function asQuote(text: string): Highlight {
  return { kind: 'quote', text };
}

/** Why nothing stands here: what broke off before its assertions is not the same as a step without any. */
function Unchecked({ isBroken }: { readonly isBroken: boolean }) {
  return (
    <p class={isBroken ? 'bold mark-error' : 'dim'}>
      {isBroken ? 'Not checked: the step ended before its assertions.' : 'No assertions.'}
    </p>
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
