import type { SourceExcerpt } from '../../src/model/page-data.ts';
import type { AssertionRecord, Verdict } from '../../src/model/record.ts';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import { formatScore } from '../text/format.ts';
import { jsonText, valueText } from '../text/json/json-text.ts';
import { LongText } from '../text/long-text.tsx';
import { Text } from '../text/text.tsx';
import { alignCalls } from './align-calls.ts';
import { ErrorNote } from './error-note.tsx';
import { SourceFrame } from './source-frame.tsx';
import { Trajectory } from './trajectory.tsx';
import { ValueDiff } from './value-diff.tsx';

/** One claim or evaluator: what was expected, what came, and where it is written. Open if it does not hold. */
export function Assertion({
  assertion,
  sources,
}: {
  readonly assertion: AssertionRecord;
  readonly sources: readonly SourceExcerpt[];
}) {
  const { name, kind, form, message, score, weight, expected, details, error, file, line } = assertion;
  const outcome = outcomeOf(assertion);
  const isNamed = name !== kind && !name.startsWith(`${kind}.`) && !/^[_#[]\d/.test(name.slice(kind.length));
  return (
    <details class={`assertion assertion-${outcome}`} open={outcome !== 'passed'}>
      <summary>
        <VerdictMark outcome={outcome} />
        <span class="assertion-name">
          <Text value={name} />
          {isNamed && (
            <span class="dim">
              {' '}
              <Text value={kind} />
            </span>
          )}
        </span>
        {outcome === 'passed' && expected !== undefined && (
          <code class="assertion-hint dim">
            <Text
              value={jsonText(expected)
                .replaceAll(/\s*\n\s*/g, ' ')
                .slice(0, 120)}
            />
          </code>
        )}
        {form === 'evaluator' && (
          <span class="assertion-score">
            {formatScore(score)}
            {weight !== 1 && <span class="dim"> × {weight}</span>}
          </span>
        )}
      </summary>
      {error === undefined ? message !== '' && <LongText value={message} /> : <ErrorNote error={error} />}
      <Points assertion={assertion} />
      <Evidence assertion={assertion} />
      <SourceFrame file={file} line={line} sources={sources} />
      {details !== undefined && (
        <details class="inner">
          <summary>Details</summary>
          <LongText className="code" value={jsonText(details)} />
        </details>
      )}
    </details>
  );
}

/** Expected against actual, in a suitable form. */
function Evidence({ assertion }: { readonly assertion: AssertionRecord }) {
  const { kind, expected, actual, passed } = assertion;
  const calls = kind === 'tool_trajectory' ? alignCalls(assertion) : undefined;
  if (calls !== undefined && calls.length > 0) return <Trajectory calls={calls} />;
  if (expected === undefined) return null;
  if (passed === false && actual !== undefined) return <ValueDiff before={expected} after={actual} />;
  return (
    <div class="labelled">
      <span class="label">Expected</span>
      <LongText className="code" value={valueText(expected)} />
    </div>
  );
}

/** What was not measured did not pass. */
export function outcomeOf({ passed, error }: Pick<AssertionRecord, 'passed' | 'error'>): Verdict {
  if (error !== undefined || passed === undefined) return 'error';
  return passed ? 'passed' : 'failed';
}

/** What a judge or an evaluator found, and what it missed. */
function Points({ assertion: { hits = [], misses = [] } }: { readonly assertion: AssertionRecord }) {
  if (hits.length + misses.length === 0) return null;
  return (
    <ul class="points">
      {misses.map((miss) => (
        <li key={`miss ${miss}`}>
          <span class="mark-failed">
            <VerdictMark outcome="failed" />
          </span>
          <LongText value={miss} />
        </li>
      ))}
      {hits.map((hit) => (
        <li key={`hit ${hit}`}>
          <VerdictMark outcome="passed" />
          <LongText value={hit} />
        </li>
      ))}
    </ul>
  );
}
