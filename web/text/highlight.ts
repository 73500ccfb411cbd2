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
}

/** One letter may occur a million times; nobody looks at that many marks. */
const MAX_RANGES = 1000;

/** Where the highlights occur, in order. Where two overlap, the first counts. */
export function findRanges(text: string, highlights: readonly Highlight[]): readonly Range[] {
  const found: Range[] = [];
  for (const { kind, text: wanted } of highlights) {
    const pattern = patternFor(kind, wanted);
    if (pattern === undefined) continue;
    for (const match of text.matchAll(pattern)) {
      found.push({ start: match.index, end: match.index + match[0].length, kind });
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

function patternFor(kind: Highlight['kind'], wanted: string): RegExp | undefined {
  const words = wanted
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
    .map(({ start, end, kind }) => ({
      start: Math.max(0, start - offset),
      end: Math.min(length, end - offset),
      kind,
    }));
}
