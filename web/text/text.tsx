import type { ComponentChildren } from 'preact';
import { nameHidden, splitHidden, type HiddenCharacter } from './hidden-characters.ts';

/**
 * Text from tests, agents and models, within a line of the page. It cannot change the direction of the text around
 * it.
 */
export function Text({ value }: { readonly value: string }) {
  return <bdi>{showHidden(value.replaceAll(/\s*\n\s*/g, ' ⏎ '))}</bdi>;
}

/** Invisible characters become small labels. */
export function showHidden(text: string): ComponentChildren {
  const pieces = splitHidden(text);
  if (pieces.length === 0) return '';
  if (pieces.length === 1 && typeof pieces[0] === 'string') return pieces[0];
  return pieces.map((piece) => (typeof piece === 'string' ? piece : <Hidden {...piece} />));
}

function Hidden({ code, count }: HiddenCharacter) {
  return (
    <span class="hidden-character" title={`U+${code.toString(16).toUpperCase().padStart(4, '0')}`}>
      {nameHidden(code)}
      {count > 1 && `×${count}`}
    </span>
  );
}
