import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatCount } from '../text/format.ts';
import { Text } from '../text/text.tsx';
import { Icon } from './icon.tsx';
import './menu.css';

export interface MenuOption {
  readonly value: string;
  readonly name?: string | undefined;
  readonly count?: number | undefined;
}

/** Letters typed within this time are one word. */
const TYPING_MS = 700;

/**
 * A button that opens a list: drawn by us, so that it looks the same everywhere and is no wider than its value. Arrows
 * move, letters jump, Enter and Space choose, Escape closes. With several choices it stays open until people leave it.
 */
export function Menu({
  label,
  shown,
  options,
  chosen,
  hasSeveral = false,
  onChoose,
}: {
  readonly label: string;
  /** The text on the button. */
  readonly shown: string;
  readonly options: readonly MenuOption[];
  readonly chosen: readonly string[];
  readonly hasSeveral?: boolean;
  readonly onChoose: (value: string) => void;
}) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const first = Math.max(
    0,
    options.findIndex(({ value }) => chosen.includes(value)),
  );
  const [active, setActive] = useState<number | undefined>();
  const typed = useRef({ text: '', at: 0 });
  const isOpen = active !== undefined;
  useClickOutside(box, isOpen, () => setActive(undefined));
  useLayoutEffect(() => {
    if (list.current === null) return;
    const isOutside = list.current.getBoundingClientRect().right > document.documentElement.clientWidth;
    list.current.classList.toggle('is-right', isOutside);
    list.current.querySelector('.is-active')?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, active]);
  const choose = (index: number): void => {
    if (!hasSeveral) setActive(undefined);
    const option = options[index];
    if (option !== undefined && (hasSeveral || !chosen.includes(option.value))) onChoose(option.value);
  };
  const find = (letter: string): number | undefined => {
    const { text, at } = typed.current;
    const sought = (Date.now() - at < TYPING_MS ? text : '') + letter.toLowerCase();
    typed.current = { text: sought, at: Date.now() };
    const found = options.findIndex(({ value, name = value }) => name.toLowerCase().startsWith(sought));
    return found === -1 ? undefined : found;
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLButtonElement>): void => {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const now = active ?? first;
    const last = options.length - 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: isOpen ? now + 1 : now,
      ArrowUp: isOpen ? now - 1 : now,
      PageDown: now + 8,
      PageUp: now - 8,
      Home: 0,
      End: last,
    };
    if (key === 'Tab') return setActive(undefined);
    if (key === 'Escape' && isOpen) setActive(undefined);
    else if ((key === 'Enter' || key === ' ') && isOpen) choose(active);
    else if (moves[key] !== undefined) setActive(Math.max(0, Math.min(last, moves[key])));
    else if (isOpen && key.length === 1) setActive(find(key) ?? now);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="choice" ref={box}>
      <button
        type="button"
        role="combobox"
        class={chosen.some((value) => value !== '') ? 'choice-button is-set' : 'choice-button'}
        aria-label={label}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-activedescendant={isOpen ? `${id}-${active}` : undefined}
        onKeyDown={onKeyDown}
        onClick={() => setActive(isOpen ? undefined : first)}
      >
        <span class="cut">
          <Text value={shown} />
        </span>
        <Icon name="chevron" />
      </button>
      {isOpen && (
        <ul
          ref={list}
          id={id}
          role="listbox"
          class="choice-list"
          aria-label={label}
          aria-multiselectable={hasSeveral}
        >
          {options.map(({ value, name = value, count }, index) => (
            <li
              key={value}
              id={`${id}-${index}`}
              role="option"
              aria-selected={chosen.includes(value)}
              class={index === active ? 'is-active' : ''}
              onMouseMove={() => setActive(index)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(index)}
            >
              <span class="choice-name">
                <Text value={name} />
              </span>
              {count !== undefined && <span class="dim">{formatCount(count)}</span>}
              {chosen.includes(value) ? <Icon name="passed" /> : <span class="choice-unchosen" />}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

export function useClickOutside(
  box: { readonly current: HTMLElement | null },
  isOpen: boolean,
  close: () => void,
): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const onDown = ({ target }: MouseEvent): void => {
      if (!(target instanceof Node) || box.current?.contains(target) !== true) close();
    };
    document.addEventListener('mousedown', onDown);
    return () => document.removeEventListener('mousedown', onDown);
  }, [isOpen]);
}
