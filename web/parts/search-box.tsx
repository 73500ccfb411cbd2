import { useRef, useState } from 'preact/hooks';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { Icon } from './icon.tsx';

/** A field for words to look for. `/` goes to it; escape clears it, and then leaves it. */
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
  // Taken over while drawing, not in an effect: an effect may come after the next key, and take its letter back.
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
