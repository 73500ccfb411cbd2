import type { ComponentChildren } from 'preact';
import type { ResultRow } from '../../src/base/model/page-data.ts';
import type { AssertionRecord, AttemptRecord, StepRecord } from '../../src/base/model/record.ts';
import { Pieces } from '../parts/pieces.tsx';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import { outcomeOf } from '../result/assertion.tsx';
import { ErrorNote } from '../result/error-note.tsx';
import { RepeatMarks } from '../run/repeat-marks.tsx';
import { formatCost, formatDuration, formatScore, formatTokens, UNKNOWN } from '../text/format.ts';
import { LongText } from '../text/long-text.tsx';
import { Text } from '../text/text.tsx';
import { AnswerDiff } from './answer-diff.tsx';

/** What one target did; without a record, why there is none. */
export interface TargetSide {
  readonly target: string;
  readonly record?: AttemptRecord | undefined;
  readonly missing?: string | undefined;
  /** All its repeats. */
  readonly attempts?: readonly ResultRow[] | undefined;
  /** The page with all of it. */
  readonly link?: string | undefined;
}

/** One attempt of each target, step by step. `reference`: the target that the others are compared with, if any. */
export function SideBySide({
  sides,
  reference,
}: {
  readonly sides: readonly TargetSide[];
  readonly reference: string;
}) {
  const base = sides.find(({ target }) => target === reference)?.record;
  const count = Math.max(0, ...sides.map(({ record }) => record?.steps.length ?? 0));
  const numbers = Array.from({ length: count }, (_, index) => index);
  return (
    <div
      class="side-by-side scroll-x"
      role="region"
      aria-label="Answers side by side"
      tabIndex={0}
      style={{ '--targets': String(sides.length) }}
    >
      <Row>
        {sides.map((side) => (
          <SideHead key={side.target} side={side} isReference={side.target === reference} />
        ))}
      </Row>
      <Pieces items={numbers} first={20} what="steps">
        {(index) => <Step key={index} index={index} count={count} sides={sides} base={base} />}
      </Pieces>
      <Assertions title="Whole test" sides={sides} read={({ assertions }) => assertions} />
    </div>
  );
}

function Row({ children }: { readonly children: ComponentChildren }) {
  return <div class="side-row">{children}</div>;
}

function SideHead({ side, isReference }: { readonly side: TargetSide; readonly isReference: boolean }) {
  const { target, record, missing, link, attempts = [] } = side;
  return (
    <div class="card stack side-head">
      <h2>
        <Text value={target} /> {isReference && <span class="tag">reference</span>}
      </h2>
      {record === undefined ? (
        <p class="dim">{missing ?? 'Not run'}</p>
      ) : (
        <>
          <p class="line side-facts">
            <VerdictMark outcome={record.verdict} hasWord />
            {attempts.length > 1 && <RepeatMarks attempts={attempts} />}
            <span>{record.score === undefined ? '' : `score ${formatScore(record.score)}`}</span>
            <span class="dim">{formatDuration(record.duration_ms)}</span>
            <span class="dim">{formatCost(record.cost_usd)}</span>
            <span class="dim">{record.token_usage !== undefined && formatTokens(record.token_usage)}</span>
          </p>
          {record.error !== undefined && <ErrorNote error={record.error} />}
        </>
      )}
      {link !== undefined && <a href={link}>Open the whole attempt</a>}
    </div>
  );
}

function Step({
  index,
  count,
  sides,
  base,
}: {
  readonly index: number;
  readonly count: number;
  readonly sides: readonly TargetSide[];
  readonly base: AttemptRecord | undefined;
}) {
  const stepOf = ({ record }: TargetSide): StepRecord | undefined => record?.steps[index];
  const input = sides.map(stepOf).find((step) => step !== undefined)?.input ?? '';
  const reference = base?.steps[index];
  return (
    <section class="stack gap-3 side-step" aria-label={`Step ${index + 1}`}>
      <header class="stack gap-1 side-input">
        <h3>{count === 1 ? 'Input' : `Step ${index + 1}`}</h3>
        <LongText value={input} />
      </header>
      <Row>
        {sides.map((side) => (
          <StepSide
            key={side.target}
            target={side.target}
            step={stepOf(side)}
            isPresent={side.record !== undefined}
            reference={side.record === base ? undefined : reference}
          />
        ))}
      </Row>
      <Assertions title="Assertions" sides={sides} read={({ steps }) => steps[index]?.assertions ?? []} />
    </section>
  );
}

function StepSide({
  target,
  step,
  isPresent,
  reference,
}: {
  readonly target: string;
  readonly step: StepRecord | undefined;
  readonly isPresent: boolean;
  readonly reference: StepRecord | undefined;
}) {
  const tools = (step?.tools_used ?? []).join(' → ');
  const hasOtherTools = reference !== undefined && tools !== (reference.tools_used ?? []).join(' → ');
  return (
    <div class="card stack side-answer">
      <p class="side-name label">
        <Text value={target} />
      </p>
      {step === undefined ? (
        <p class="dim">{isPresent ? 'This step was not reached.' : UNKNOWN}</p>
      ) : (
        <>
          {step.output === undefined ? (
            <p class="dim">No answer</p>
          ) : (
            <AnswerDiff answer={step.output} reference={reference?.output} />
          )}
          {step.tools_used !== undefined && (
            <p class={`side-tools ${hasOtherTools ? 'is-other' : ''}`}>
              <span class="label">{hasOtherTools ? 'Tools (different)' : 'Tools'}</span>{' '}
              <code>
                <Text value={tools === '' ? 'none' : tools} />
              </code>
            </p>
          )}
          {step.error !== undefined && <ErrorNote error={step.error} />}
        </>
      )}
    </div>
  );
}

/** Each assertion, and which targets meet it. */
function Assertions({
  title,
  sides,
  read,
}: {
  readonly title: string;
  readonly sides: readonly TargetSide[];
  readonly read: (record: AttemptRecord) => readonly AssertionRecord[];
}) {
  const lists = sides.map(({ record }) => (record === undefined ? [] : read(record)));
  const names = [...new Set(lists.flat().map(({ name }) => name))];
  if (names.length === 0) return null;
  return (
    <table class="side-assertions">
      <caption>{title}</caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">Assertion</th>
          {sides.map(({ target }) => (
            <th key={target} scope="col">
              <Text value={target} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <tr key={name}>
            <th scope="row">
              <Text value={name} />
            </th>
            {lists.map((list, index) => (
              <td key={sides[index]!.target}>
                <AssertionMark assertion={list.find((one) => one.name === name)} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function AssertionMark({ assertion }: { readonly assertion: AssertionRecord | undefined }) {
  if (assertion === undefined) return <span class="dim">{UNKNOWN}</span>;
  return (
    <span class="side-mark">
      <VerdictMark outcome={outcomeOf(assertion)} />
      <span class="dim">
        <Text value={(assertion.error?.message ?? assertion.message).slice(0, 300)} />
      </span>
    </span>
  );
}
