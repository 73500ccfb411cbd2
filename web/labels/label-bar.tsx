import { useRef, useState } from 'preact/hooks';
import type { LabelValue, RecordLabel } from '../../src/base/model/label.ts';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { Icon } from '../parts/icon.tsx';
import { formatTime, plural } from '../text/format.ts';
import { Text } from '../text/text.tsx';
import type { LabelBook } from './label-book.ts';
import { labelName, setLabelName } from './labelling.ts';
import './labels.css';

const OUTCOMES = { right: 'passed', wrong: 'failed' } as const;
const LABEL_NAMES: Readonly<Record<LabelValue, string>> = { right: 'Right', wrong: 'Wrong' };

/** What people say about an answer, and the buttons to say it. */
export function LabelBar({
  book,
  record,
  index,
  total,
  isBlind,
  onBlind,
  onNext,
}: {
  readonly book: LabelBook;
  readonly record: Pick<AttemptRecord, 'id' | 'started_at'>;
  readonly index: number;
  /** How many attempts the list has. */
  readonly total: number;
  readonly isBlind: boolean;
  readonly onBlind: () => void;
  /** Undefined if nothing is left to label. */
  readonly onNext: (() => void) | undefined;
}) {
  const [name, setName] = useState(labelName(book));
  const labels = book.byIndex.get(index) ?? [];
  const own = labels.find(({ by }) => by === name);
  const [note, setNote] = useState(own?.note ?? '');
  const field = useRef<HTMLInputElement>(null);
  const send = (label: LabelValue | null): void => {
    const { id, started_at } = record;
    if (label === null) setNote('');
    const by = name === '' ? undefined : name;
    void book.add({
      index,
      id,
      started_at,
      label,
      note: label === null ? undefined : note,
      by,
      blind: isBlind || own?.blind,
    });
  };
  useShortcuts([
    { keys: 'r', does: 'Mark as right', run: () => send('right') },
    { keys: 'w', does: 'Mark as wrong', run: () => send('wrong') },
    { keys: 'n', does: 'Write a note', run: () => field.current?.focus() },
    { keys: 'u', does: 'Remove the label', run: () => own !== undefined && send(null) },
    { keys: 'l', does: 'Next without a label', run: () => onNext?.() },
    { keys: 'b', does: 'Hide verdicts until marked, or not', run: onBlind },
  ]);
  const others = labels.filter((label) => label !== own);
  const done = new Set(book.byIndex.keys()).size;
  return (
    <section class="line label-bar" aria-label="Label">
      <div class="label-buttons" role="group" aria-label="Is this answer right?">
        {(['right', 'wrong'] as const).map((value) => (
          <button
            key={value}
            type="button"
            class={`chip mark-${OUTCOMES[value]}`}
            aria-pressed={own?.label === value}
            onClick={() => send(value)}
          >
            <Icon name={OUTCOMES[value]} />
            {LABEL_NAMES[value]} <kbd aria-hidden="true">{value.charAt(0)}</kbd>
          </button>
        ))}
        <button type="button" disabled={own === undefined} onClick={() => send(null)}>
          Undo <kbd aria-hidden="true">u</kbd>
        </button>
      </div>
      <label class="label-note">
        <span class="visually-hidden">Note</span>
        <input
          ref={field}
          type="text"
          placeholder="Note: why? (n)"
          maxLength={4000}
          value={note}
          onInput={({ currentTarget }) => setNote(currentTarget.value)}
          onBlur={() => own !== undefined && note !== (own.note ?? '') && send(own.label)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' && event.key !== 'Escape') return;
            event.preventDefault();
            // Leaving the field saves the note of a labelled answer.
            if (event.key === 'Escape') setNote(own?.note ?? '');
            event.currentTarget.blur();
          }}
        />
      </label>
      <label class="label-name dim">
        as{' '}
        <input
          type="text"
          aria-label="Your name"
          maxLength={100}
          value={name}
          onChange={({ currentTarget }) => {
            setLabelName(currentTarget.value);
            setName(labelName(book));
          }}
        />
      </label>
      <label class="check">
        <input type="checkbox" checked={isBlind} onChange={onBlind} />
        Blind
      </label>
      <output class="dim label-state">
        {own === undefined ? 'Not labelled by you' : `Marked as ${own.label} at ${formatTime(own.at)}`} ·{' '}
        {done} of {plural(total, 'result')} labelled
      </output>
      <button type="button" disabled={onNext === undefined} onClick={() => onNext?.()}>
        Next without a label <kbd aria-hidden="true">l</kbd>
      </button>
      {book.error !== undefined && (
        <p class="label-error" role="alert">
          <Text value={book.error.message} />
        </p>
      )}
      {!isBlind && others.length > 0 && <LabelList labels={others} />}
    </section>
  );
}

/** What people said, each in a line. */
export function LabelList({ labels }: { readonly labels: readonly RecordLabel[] }) {
  return (
    <ul class="label-list" aria-label="Labels">
      {labels.map(({ label, by, at, note, blind }) => (
        <li key={by}>
          <LabelMark label={label} /> <Text value={by} />
          {note !== undefined && (
            <>
              : <Text value={note} />
            </>
          )}{' '}
          <span class="dim">
            {formatTime(at)}
            {blind === true && ', without seeing the verdict'}
          </span>
        </li>
      ))}
    </ul>
  );
}

export function LabelMark({ label }: { readonly label: LabelValue }) {
  return (
    <span class={`tag label-mark mark-${OUTCOMES[label]}`}>
      {label === 'right' ? '✓' : '✗'} {LABEL_NAMES[label]}
    </span>
  );
}
