import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { Text } from '../text/text.tsx';

export interface ChoiceOption {
  readonly value: string;
  readonly name?: string | undefined;
  readonly count?: number | undefined;
}

/**
 * A button with a list below it. Arrows move, letters jump, Enter and Space choose, Escape closes. With several
 * choices it stays open until it is left.
 */
export function ChoiceMenu({
  label,
  shown,
  options,
  chosen,
  hasSeveral = false,
  onChoose,
}: {
  readonly label: string;
  /** What stands on the button. */
  readonly shown: string;
  readonly options: readonly ChoiceOption[];
  readonly chosen: readonly string[];
  readonly hasSeveral?: boolean;
  readonly onChoose: (value: string) => void;
}) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const typed = useRef({ text: '', at: 0 });
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (isOpen) list.current?.focus();
  }, [isOpen]);
  useEffect(() => {
    if (isOpen) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, active]);

  const open = (): void => {
    setActive(
      Math.max(
        0,
        options.findIndex(({ value }) => chosen.includes(value)),
      ),
    );
    setOpen(!isOpen);
  };
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  const choose = (index: number): void => {
    const option = options[index];
    if (option === undefined) return;
    onChoose(option.value);
    if (!hasSeveral) close();
  };
  const jump = (letter: string): void => {
    const now = performance.now();
    const text = now - typed.current.at < 800 ? typed.current.text + letter : letter;
    typed.current = { text, at: now };
    const found = options.findIndex(({ value, name = value }) =>
      name.toLowerCase().startsWith(text.toLowerCase()),
    );
    if (found !== -1) setActive(found);
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLUListElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key === 'Tab') return;
    const last = options.length - 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: Math.min(last, active + 1),
      ArrowUp: Math.max(0, active - 1),
      Home: 0,
      End: last,
      PageDown: Math.min(last, active + 8),
      PageUp: Math.max(0, active - 8),
    };
    // Letters belong to the list while it is open, not to the page.
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' || event.key === ' ') choose(active);
    else if (moves[event.key] !== undefined) setActive(moves[event.key]!);
    else if (event.key.length === 1) jump(event.key);
  };
  return (
    <div class="menu">
      <button
        ref={button}
        type="button"
        class="menu-button"
        aria-label={shown === label ? label : `${label}: ${shown}`}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        onClick={open}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || isOpen) return;
          event.preventDefault();
          open();
        }}
      >
        <span class="menu-shown">
          <Text value={shown} />
        </span>
        <Icon name="chevron" />
      </button>
      {isOpen && (
        <ul
          ref={list}
          class="menu-list"
          role="listbox"
          aria-label={label}
          aria-multiselectable={hasSeveral}
          aria-activedescendant={`${id}-${active}`}
          tabIndex={0}
          onKeyDown={onKeyDown}
          onBlur={(event) => {
            if (event.relatedTarget !== button.current) setOpen(false);
          }}
        >
          {options.map(({ value, name = value, count }, index) => (
            <li
              key={value}
              id={`${id}-${index}`}
              role="option"
              aria-selected={chosen.includes(value)}
              class={index === active ? 'is-active' : ''}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(index)}
            >
              <span class="menu-check" aria-hidden="true">
                {chosen.includes(value) ? '✓' : ''}
              </span>
              <span class="menu-name">
                <Text value={name} />
              </span>
              {count !== undefined && <span class="dim">{count}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
