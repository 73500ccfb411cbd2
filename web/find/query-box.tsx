import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { Icon } from '../parts/icon.tsx';
import type { Filter } from '../run/filter.ts';
import { Text } from '../text/text.tsx';
import { completeQuery, type Completion } from './complete-query.ts';
import { KEYS } from './query.ts';
import type { Survey } from './survey-tests.ts';
import './find.css';

const HALF_KEY_MS = 500;

/**
 * The field for a query, with a list of what can come next. `/` focuses it. Arrows choose from the list, Enter or Tab
 * takes what is chosen; Escape closes the list, then clears the field, then leaves it.
 */
export function QueryBox({
  label,
  filter,
  survey,
  onText,
}: {
  readonly label: string;
  readonly filter: Filter;
  readonly survey: Survey;
  readonly onText: (text: string) => void;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(filter.text);
  // Set during rendering, not in an effect: an effect may run after the next key, and drop its letter.
  const [taken, setTaken] = useState(filter.text);
  const [options, setOptions] = useState<readonly Completion[]>([]);
  const [active, setActive] = useState(-1);
  if (taken !== filter.text) {
    setTaken(filter.text);
    setText(filter.text);
  }
  useShortcuts([{ keys: '/', does: 'Search and filter', run: () => input.current?.select() }]);

  const offer = (written: string, caret: number | null): void => {
    setOptions(completeQuery(written, caret ?? written.length, survey));
    setActive(-1);
  };
  const close = (): void => {
    setOptions([]);
    setActive(-1);
  };
  const waiting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const change = (next: string): void => {
    setText(next);
    clearTimeout(waiting.current);
    // Somebody who types `verdict:` does not look for a text with "verd".
    if (endsWithHalfKey(next)) waiting.current = setTimeout(() => onText(next), HALF_KEY_MS);
    else onText(next);
  };
  useEffect(() => () => clearTimeout(waiting.current), []);
  const take = ({ insert, start, end }: Completion): void => {
    // A value is complete; after a key, its values come.
    const gap = /[:.]$/.test(insert) || text.charAt(end) === ' ' ? '' : ' ';
    const next = `${text.slice(0, start)}${insert}${gap}${text.slice(end)}`;
    const caret = start + insert.length + gap.length;
    const field = input.current!;
    // At once: who types on does so before the page is drawn again.
    field.value = next;
    field.setSelectionRange(caret, caret);
    field.focus();
    change(next);
    offer(next, caret);
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>): void => {
    const key = event.key;
    const chosen = options[active];
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      if (options.length === 0) return offer(text, event.currentTarget.selectionStart);
      const step = key === 'ArrowDown' ? 1 : -1;
      return setActive(
        (active + step + options.length + (active === -1 && step === -1 ? 1 : 0)) % options.length,
      );
    }
    if ((key === 'Enter' || key === 'Tab') && chosen !== undefined && !event.shiftKey) {
      event.preventDefault();
      return take(chosen);
    }
    if (key !== 'Escape' && key !== 'Enter') return;
    event.preventDefault();
    if (options.length > 0 && key === 'Escape') return close();
    if (key === 'Escape' && text !== '') return change('');
    event.currentTarget.blur();
  };
  const { problem } = filter;
  return (
    <div class="query">
      <label class="search">
        <Icon name="search" />
        <input
          ref={input}
          type="text"
          role="combobox"
          aria-label={label}
          aria-autocomplete="list"
          aria-expanded={options.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={active === -1 ? undefined : `${id}-${active}`}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          placeholder="Search, or filter: verdict:failed score:<0.7"
          value={text}
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          onInput={({ currentTarget }) => {
            change(currentTarget.value);
            offer(currentTarget.value, currentTarget.selectionStart);
          }}
          onClick={({ currentTarget }) => offer(currentTarget.value, currentTarget.selectionStart)}
          onBlur={close}
          onKeyDown={onKeyDown}
        />
        {text === '' ? (
          <kbd aria-hidden="true">/</kbd>
        ) : (
          <button type="button" class="quiet clear" aria-label="Clear the search" onClick={() => change('')}>
            ×
          </button>
        )}
      </label>
      <ul
        id={`${id}-list`}
        class="choice-list completions"
        role="listbox"
        aria-label="Suggestions"
        hidden={options.length === 0}
      >
        {options.map((option, index) => (
          <li
            key={option.label}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            // The field keeps the focus.
            onMouseDown={(event) => {
              event.preventDefault();
              take(option);
            }}
          >
            <span class="completion">
              <Text value={option.label} />
            </span>{' '}
            <span class="dim">{option.hint}</span>
          </li>
        ))}
      </ul>
      <output id={`${id}-problem`} class="query-problem" hidden={problem === undefined}>
        {problem !== undefined && (
          <>
            {problem.message}{' '}
            <code>
              <Text value={filter.text.slice(0, problem.start)} />
              <mark>
                <Text value={filter.text.slice(problem.start, problem.end)} />
              </mark>
              <Text value={filter.text.slice(problem.end)} />
            </code>
          </>
        )}
      </output>
    </div>
  );
}

function endsWithHalfKey(text: string): boolean {
  const word = /(?:^|\s)-?([a-z]+)$/i.exec(text)?.[1]?.toLowerCase();
  return word !== undefined && Object.keys(KEYS).some((key) => key.startsWith(word));
}
