import { useMemo } from 'preact/hooks';
import type { ResultDetail } from '../../src/base/model/page-data.ts';
import { Pieces } from '../parts/pieces.tsx';
import { JsonView } from '../text/json/json-view.tsx';
import { Text } from '../text/text.tsx';
import { Assertion } from './assertion.tsx';
import { CallContext, callLinks, ScopeContext } from './call-links.tsx';
import { ErrorNote } from './error-note.tsx';
import { FaultContext, FaultsNote } from './fault-notes.tsx';
import { faultyCalls } from './faults.ts';
import { foundQuotes } from './judge/read-judgement.ts';
import { Step } from './step.tsx';
import { WorkspaceView } from './workspace-view.tsx';
import { WaterfallView } from './waterfall/waterfall.tsx';
import './result.css';

/** An attempt from its first step to what was judged at its end. */
export function ResultView({ detail }: { readonly detail: ResultDetail }) {
  const { record, said_outputs, sources } = detail;
  const quotes = useMemo(() => foundQuotes(record.assertions), [record]);
  const faulty = useMemo(() => faultyCalls(record), [record]);
  const links = useMemo(() => callLinks(record), [record]);
  return (
    <CallContext.Provider value={links}>
      <FaultContext.Provider value={faulty}>
        {record.skip_reason !== undefined && (
          <p class="hint">
            Skipped: <Text value={record.skip_reason} />
          </p>
        )}
        {record.metadata !== undefined && (
          <details class="metadata">
            <summary>Metadata</summary>
            <JsonView value={record.metadata} label="Metadata" />
          </details>
        )}
        {record.error !== undefined && !isShownBelow(record) && <ErrorNote error={record.error} />}
        {record.faults !== undefined && <FaultsNote faults={record.faults} />}
        <WaterfallView record={record} links={links} />
        <Pieces items={record.steps} first={20} what="steps">
          {(step, index) => (
            <Step
              key={index}
              step={step}
              isOutputSaid={said_outputs.includes(index)}
              isBroken={record.error !== undefined && index === record.steps.length - 1}
              hasPassed={record.verdict === 'passed'}
              number={index + 1}
              sources={sources}
              quotes={quotes}
            />
          )}
        </Pieces>
        {record.workspace !== undefined && <WorkspaceView workspace={record.workspace} />}
        {record.assertions.length > 0 && (
          <section class="step" aria-labelledby="whole-test">
            <header class="step-head">
              <h2 id="whole-test">Whole test</h2>
              <span class="dim">assertions on the whole conversation</span>
            </header>
            <div class="claims">
              <ScopeContext.Provider value={links.calls}>
                {record.assertions.map((assertion, index) => (
                  <Assertion
                    key={index}
                    assertion={assertion}
                    output={record.steps.at(-1)?.output}
                    sources={sources}
                  />
                ))}
              </ScopeContext.Provider>
            </div>
          </section>
        )}
      </FaultContext.Provider>
    </CallContext.Provider>
  );
}

/** The place of an error says more than the error alone. */
function isShownBelow({ error, steps, assertions }: ResultDetail['record']): boolean {
  const all = [...assertions, ...steps, ...steps.flatMap((step) => step.assertions)];
  return all.some((one) => one.error !== undefined && one.error.message === error?.message);
}
