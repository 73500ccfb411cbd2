import { createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';

/** A text to mark where it occurs: `found` by a search, in any case, or a `quote` of a judge, with any spaces. */
export interface Highlight {
  readonly kind: 'found' | 'quote';
  readonly text: string;
}

/** Everything below marks these: `Text`, `LongText`, Markdown, code and JSON trees. */
export const HighlightContext = createContext<readonly Highlight[]>([]);

/** A part of a text, from `start` up to `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
  readonly kind: Highlight['kind'];
  /** The quote that it is a place of. */
  readonly quote?: string | undefined;
}

/** One letter may occur a million times; nobody looks at that many marks. */
const MAX_RANGES = 1000;

/** Where the highlights occur, in order. Where two overlap, the first counts. */
export function findRanges(text: string, highlights: readonly Highlight[]): readonly Range[] {
  const found: Range[] = [];
  for (const highlight of highlights) {
    const { kind, text: wanted } = highlight;
    const facts = kind === 'quote' ? { kind, quote: wanted } : { kind };
    const pattern = patternOf(highlight);
    if (pattern === undefined) continue;
    for (const match of text.matchAll(pattern)) {
      found.push({ start: match.index, end: match.index + match[0].length, ...facts });
      if (found.length >= MAX_RANGES) break;
    }
  }
  let end = 0;
  return found
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter((range) => {
      if (range.start < end) return false;
      end = range.end;
      return true;
    });
}

/** A tree asks for the same highlight in each of its texts. */
const patterns = new WeakMap<Highlight, { readonly pattern: RegExp | undefined }>();

function patternOf(highlight: Highlight): RegExp | undefined {
  let known = patterns.get(highlight);
  if (known === undefined) patterns.set(highlight, (known = { pattern: patternFor(highlight) }));
  return known.pattern;
}

function patternFor({ kind, text }: Highlight): RegExp | undefined {
  const words = text
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  if (words.join('') === '') return undefined;
  return kind === 'found'
    ? new RegExp(words.join(String.raw`\s+`), 'giu')
    : new RegExp(words.join(String.raw`\s+`), 'gu');
}

export function useRanges(text: string): readonly Range[] {
  const highlights = useContext(HighlightContext);
  return useMemo(() => (highlights.length === 0 ? NONE : findRanges(text, highlights)), [text, highlights]);
}

const NONE: readonly Range[] = [];

/** The ranges of a piece that starts at `offset`, counted from its start. */
export function rangesWithin(ranges: readonly Range[], offset: number, length: number): readonly Range[] {
  if (ranges.length === 0) return NONE;
  return ranges
    .filter(({ start, end }) => end > offset && start < offset + length)
    .map(({ start, end, ...facts }) => ({
      start: Math.max(0, start - offset),
      end: Math.min(length, end - offset),
      ...facts,
    }));
}
