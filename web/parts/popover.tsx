import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { useClickOutside } from './menu.tsx';

/** A button with a small panel below it, for what is needed now and then. */
export function Popover({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useClickOutside(box, isOpen, () => setOpen(false));
  return (
    <div
      ref={box}
      class="choice popover"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen || event.defaultPrevented) return;
        event.preventDefault();
        setOpen(false);
        button.current?.focus();
      }}
    >
      <button
        ref={button}
        type="button"
        class="choice-button is-set"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {name}
        <Icon name="chevron" />
      </button>
      {isOpen && <div class="card stack popover-panel">{children}</div>}
    </div>
  );
}
