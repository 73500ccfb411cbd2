import type { Highlight } from '../text/highlight.ts';

/** The words of a search, to mark. A text may write é as one character or as two: both are marked. */
export function highlightsOf(words: readonly string[]): readonly Highlight[] {
  const forms = words.flatMap((word) => [word.normalize('NFC'), word.normalize('NFD')]);
  return [...new Set(forms)].map((text) => ({ kind: 'found', text }));
}
