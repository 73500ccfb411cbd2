import type { ComponentChildren } from 'preact';
import { nameHidden, splitHidden, type HiddenCharacter } from './hidden-characters.ts';
import { useRanges, type Range } from './highlight.ts';
import './text.css';

/**
 * Text from tests, agents and models, within a line of the page. It cannot change the direction of the text around
 * it.
 */
export function Text({ value }: { readonly value: string }) {
  return (
    <bdi>
      <Shown text={value.replaceAll(/\s*\n\s*/g, ' ⏎ ')} />
    </bdi>
  );
}

/** A text as it is: invisible characters are named, and what is highlighted is marked. */
export function Shown({ text }: { readonly text: string }) {
  return <>{markRanges(text, useRanges(text))}</>;
}

/** The same, where the caller knows what to mark: a quote may go on in the next piece. */
export function markRanges(text: string, ranges: readonly Range[]): ComponentChildren {
  if (ranges.length === 0) return nameHiddenIn(text);
  const pieces: ComponentChildren[] = [];
  let at = 0;
  for (const { start, end, kind, quote } of ranges) {
    if (start > at) pieces.push(nameHiddenIn(text.slice(at, start)));
    pieces.push(
      <mark key={start} class={`mark-${kind}`} data-quote={quote}>
        {nameHiddenIn(text.slice(start, end))}
      </mark>,
    );
    at = end;
  }
  if (at < text.length) pieces.push(nameHiddenIn(text.slice(at)));
  return pieces;
}

/** Invisible characters become small labels. */
function nameHiddenIn(text: string): ComponentChildren {
  const pieces = splitHidden(text);
  if (pieces.length === 0) return '';
  if (pieces.length === 1 && typeof pieces[0] === 'string') return pieces[0];
  return pieces.map((piece) => (typeof piece === 'string' ? piece : <Hidden {...piece} />));
}

function Hidden({ code, count }: HiddenCharacter) {
  return (
    <span class="hidden-character" dir="ltr" title={`U+${code.toString(16).toUpperCase().padStart(4, '0')}`}>
      {nameHidden(code)}
      {count > 1 && `×${count}`}
    </span>
  );
}
