import type { ResultDetail } from '../../src/base/model/page-data.ts';
import type { AssertionRecord, AttemptRecord, StepRecord } from '../../src/base/model/record.ts';
import { Pieces } from '../parts/pieces.tsx';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import { outcomeOf } from '../result/assertion.tsx';
import { AttemptCost } from '../result/attempt-cost.tsx';
import { ErrorNote } from '../result/error-note.tsx';
import { MemoryDiff } from '../result/memory-diff.tsx';
import { ReadingChoice } from '../result/reading-choice.tsx';
import { Transcript } from '../result/transcript.tsx';
import { ValueDiff } from '../diff/value-diff.tsx';
import type { Column } from '../table/column.ts';
import { Table } from '../table/table.tsx';
import { formatDuration, formatScore, UNKNOWN } from '../text/format.ts';
import { Text } from '../text/text.tsx';
import './pair.css';

type Side<T> = T | undefined;

/** Two attempts of one test, step by step, side by side. */
export function PairSteps({
  before,
  after,
}: {
  readonly before: Side<ResultDetail>;
  readonly after: Side<ResultDetail>;
}) {
  const count = Math.max(before?.record.steps.length ?? 0, after?.record.steps.length ?? 0);
  const numbers = Array.from({ length: count }, (_, index) => index);
  return (
    <>
      <p class="line result-actions">
        <ReadingChoice />
      </p>
      <div class="sides side-heads">
        <SideHead name="Before" record={before?.record} />
        <SideHead name="After" record={after?.record} />
      </div>
      <Pieces items={numbers} first={20} what="steps">
        {(index) => (
          <PairStep
            key={index}
            number={index + 1}
            before={shownStep(before, index)}
            after={shownStep(after, index)}
          />
        )}
      </Pieces>
      <Assertions
        title="Whole test"
        before={before?.record.assertions ?? []}
        after={after?.record.assertions ?? []}
      />
    </>
  );
}

interface ShownStep {
  readonly step: StepRecord;
  readonly isOutputSaid: boolean;
}

function shownStep(detail: Side<ResultDetail>, index: number): Side<ShownStep> {
  const step = detail?.record.steps[index];
  return step && { step, isOutputSaid: detail!.said_outputs.includes(index) };
}

function SideHead({ name, record }: { readonly name: string; readonly record: Side<AttemptRecord> }) {
  return (
    <div>
      <h2>{name}</h2>
      {record === undefined ? (
        <p class="dim">Not in this run.</p>
      ) : (
        <p class="line side-facts">
          <VerdictMark outcome={record.verdict} hasWord />
          <span class="dim">
            score {formatScore(record.score)} · {formatDuration(record.duration_ms)} ·{' '}
            <AttemptCost record={record} />
          </span>
        </p>
      )}
      {record?.error !== undefined && <ErrorNote error={record.error} />}
    </div>
  );
}

function PairStep({
  number,
  before,
  after,
}: {
  readonly number: number;
  readonly before: Side<ShownStep>;
  readonly after: Side<ShownStep>;
}) {
  const [old, young] = [before?.step, after?.step];
  const outputs = old?.output !== undefined && young?.output !== undefined && old.output !== young.output;
  return (
    <section class="step" aria-labelledby={`pair-${number}`}>
      <header class="step-head">
        <h2 id={`pair-${number}`}>Step {number}</h2>
      </header>
      <div class="sides">
        <StepSide name="Before" shown={before} />
        <StepSide name="After" shown={after} />
      </div>
      {outputs && (
        <div class="stack output-diff">
          <h3>Output</h3>
          <ValueDiff
            before={old.output!}
            after={young.output!}
            names={{ before: 'Before', after: 'After' }}
          />
        </div>
      )}
      <Assertions title="Assertions" before={old?.assertions ?? []} after={young?.assertions ?? []} />
    </section>
  );
}

function StepSide({ name, shown }: { readonly name: string; readonly shown: Side<ShownStep> }) {
  return (
    <div class="stack gap-3 said">
      <p class="pair-side-name">{name}</p>
      {shown === undefined ? (
        <p class="dim">This step was not reached.</p>
      ) : (
        <>
          <Transcript step={shown.step} isOutputSaid={shown.isOutputSaid} />
          <MemoryDiff before={shown.step.memory_before} after={shown.step.memory} />
        </>
      )}
    </div>
  );
}

/** The assertions, and whether they passed before and now. */
function Assertions({
  title,
  before,
  after,
}: {
  readonly title: string;
  readonly before: readonly AssertionRecord[];
  readonly after: readonly AssertionRecord[];
}) {
  const names = [...new Set([...after, ...before].map(({ name }) => name))];
  if (names.length === 0) return null;
  const rows = names.map((name): PairRow => ({
    name,
    before: before.find((one) => one.name === name),
    after: after.find((one) => one.name === name),
  }));
  return (
    <section class="stack pair-assertions">
      <h3>{title}</h3>
      <Table label={title} columns={COLUMNS} rows={rows} keyOf={({ name }) => name} />
    </section>
  );
}

interface PairRow {
  readonly name: string;
  readonly before: AssertionRecord | undefined;
  readonly after: AssertionRecord | undefined;
}

const COLUMNS: readonly Column<PairRow>[] = [
  { name: 'assertion', title: 'Assertion', cell: ({ name }) => <Text value={name} /> },
  { name: 'before', title: 'Before', cell: ({ before }) => <Held assertion={before} /> },
  { name: 'after', title: 'After', cell: ({ after }) => <Held assertion={after} /> },
  {
    name: 'now',
    title: 'Now',
    cell: ({ after }) => (
      <span class="dim">
        <Text value={(after?.error?.message ?? after?.message ?? '').slice(0, 300)} />
      </span>
    ),
  },
];

function Held({ assertion }: { readonly assertion: AssertionRecord | undefined }) {
  if (assertion === undefined) return <>{UNKNOWN}</>;
  const { form, score } = assertion;
  return (
    <span class="side">
      <VerdictMark outcome={outcomeOf(assertion)} />
      {form === 'evaluator' && score !== undefined && formatScore(score)}
    </span>
  );
}
