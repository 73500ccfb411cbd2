import { useRef, useState } from 'preact/hooks';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { Icon } from './icon.tsx';
import './search-box.css';

/** A search field. `/` focuses it; Escape clears it, and then leaves it. */
export function SearchBox({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  // Set during rendering, not in an effect: an effect may run after the next key, and drop its letter.
  const [taken, setTaken] = useState(value);
  if (taken !== value) {
    setTaken(value);
    setText(value);
  }
  useShortcuts([{ keys: '/', does: 'Search', run: () => input.current?.select() }]);
  const change = (next: string): void => {
    setText(next);
    onChange(next);
  };
  return (
    <label class="search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        spellcheck={false}
        onInput={({ currentTarget }) => change(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' && event.key !== 'Enter') return;
          event.preventDefault();
          if (event.key === 'Escape' && text !== '') change('');
          else event.currentTarget.blur();
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </label>
  );
}
