import type { SourceExcerpt } from '../../src/base/model/page-data.ts';
import { comparesOutput } from '../../src/base/model/compares-output.ts';
import type { AssertionRecord, Verdict } from '../../src/base/model/record.ts';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import { formatScore } from '../text/format.ts';
import { jsonText } from '../text/json/json-text.ts';
import { JsonView } from '../text/json/json-view.tsx';
import { LongText } from '../text/long-text.tsx';
import { Text } from '../text/text.tsx';
import { alignCalls } from './align-calls.ts';
import { ErrorNote } from './error-note.tsx';
import { JudgeCard } from './judge/judge-card.tsx';
import { readJudgement } from './judge/read-judgement.ts';
import { JudgePrompts } from './sent/sent-view.tsx';
import { SourceFrame } from './source-frame.tsx';
import { Trajectory } from './trajectory.tsx';
import { ValueDiff } from '../diff/value-diff.tsx';
import { Labelled } from './value-view.tsx';
import './assertion.css';

/** One claim or evaluator: what was expected, what came, and where it is written. Open if it does not hold. */
export function Assertion({
  assertion,
  output,
  sources,
}: {
  readonly assertion: AssertionRecord;
  /** What the agent said, which stands in the conversation. */
  readonly output: string | undefined;
  readonly sources: readonly SourceExcerpt[];
}) {
  const { details } = assertion;
  const outcome = outcomeOf(assertion);
  return (
    <details class={`assertion assertion-${outcome}`} open={outcome !== 'passed'}>
      <summary>
        <Heading assertion={assertion} outcome={outcome} isJudged={readJudgement(assertion) !== undefined} />
      </summary>
      <Explanation assertion={assertion} output={output} />
      {assertion.judge_calls !== undefined && <JudgePrompts prompts={assertion.judge_prompts} />}
      <SourceFrame place={assertion} sources={sources} />
      {details !== undefined && (
        <details class="inner">
          <summary>Details</summary>
          <JsonView value={details} label="Details" />
        </details>
      )}
    </details>
  );
}

function Heading({
  assertion: { name, kind, form, score, weight, expected },
  outcome,
  isJudged,
}: {
  readonly assertion: AssertionRecord;
  readonly outcome: Verdict;
  /** The card of the judge has the score. */
  readonly isJudged: boolean;
}) {
  const isNamed = name !== kind && !name.startsWith(`${kind}.`) && !/^[_#[]\d/.test(name.slice(kind.length));
  return (
    <>
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
        <code class="assertion-hint cut dim">
          <Text
            value={jsonText(expected)
              .replaceAll(/\s*\n\s*/g, ' ')
              .slice(0, 120)}
          />
        </code>
      )}
      {form === 'evaluator' && !isJudged && (
        <span class="assertion-score">
          {formatScore(score)}
          {weight !== 1 && <span class="dim"> × {weight}</span>}
        </span>
      )}
    </>
  );
}

interface Explained {
  readonly assertion: AssertionRecord;
  readonly output: string | undefined;
}

/** Why it passed or failed, in a suitable form. */
function Explanation({ assertion, output }: Explained) {
  const { error, message } = assertion;
  if (error !== undefined) return <ErrorNote error={error} />;
  const judgement = readJudgement(assertion);
  if (judgement !== undefined)
    return (
      <>
        <JudgeCard assertion={assertion} judgement={judgement} />
        {judgement.rubrics.length === 0 && <Points assertion={assertion} />}
      </>
    );
  return (
    <>
      {message !== '' && <LongText value={message} />}
      <Points assertion={assertion} />
      <Evidence assertion={assertion} output={output} />
    </>
  );
}

/** Expected against actual, in a suitable form. */
function Evidence({ assertion, output }: Explained) {
  const { kind, expected, actual, passed } = assertion;
  const calls = kind === 'tool_trajectory' ? alignCalls(assertion) : undefined;
  if (calls !== undefined && calls.length > 0) return <Trajectory calls={calls} />;
  if (expected === undefined) return null;
  if (comparesOutput(assertion, output) === 'below')
    return (
      <>
        <Labelled label="Expected" value={expected} />
        <p class="dim">Actual: the answer in the conversation.</p>
      </>
    );
  if (passed === false && actual !== undefined) return <ValueDiff before={expected} after={actual} />;
  return <Labelled label="Expected" value={expected} />;
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
    <ul class="stack gap-1 points">
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
