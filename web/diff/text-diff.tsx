import type { DiffLine, DiffPart } from '../../src/base/match/diff-sequences.ts';
import { Pieces } from '../parts/pieces.tsx';
import { diffLines, diffWords, foldedLines, similarity } from '../text/diff.ts';
import { Shown } from '../text/text.tsx';
import type { Tone } from './change-list.tsx';

export interface Names {
  readonly before: string;
  readonly after: string;
}

/** How two texts are compared: short ones by words, long ones by lines, and not at all if they have little in common. */
export type TextView =
  | { readonly kind: 'equal' | 'unlike' }
  | { readonly kind: 'words'; readonly parts: readonly DiffPart[] }
  | { readonly kind: 'lines'; readonly lines: readonly DiffLine[] };

const MAX_WORDS_LENGTH = 6000;
const MIN_SIMILARITY = 0.35;

/** `isAll`: every line, however little they have in common. `byLines`: texts of several lines are not compared by words. */
export function textView(
  before: string,
  after: string,
  { isAll = false, byLines = false }: { readonly isAll?: boolean; readonly byLines?: boolean } = {},
): TextView {
  if (before === after && !isAll) return { kind: 'equal' };
  const isShort = before.length + after.length <= MAX_WORDS_LENGTH;
  const hasLines = before.includes('\n') && after.includes('\n');
  const isByWords = !isAll && isShort && !(byLines && hasLines);
  const parts = isByWords ? diffWords(before, after) : diffLines(before, after);
  const least = isByWords ? MIN_SIMILARITY : MIN_SIMILARITY / 2;
  if (!isAll && similarity(parts) < least) return { kind: 'unlike' };
  if (isByWords) return { kind: 'words', parts };
  const all = (): readonly DiffLine[] =>
    parts.flatMap(({ kind, items }) => items.map((text): DiffLine => ({ kind, text })));
  return { kind: 'lines', lines: isAll ? all() : foldedLines(parts) };
}

/** Both texts in one: what is gone is struck through. */
export function InlineWords({ parts }: { readonly parts: readonly DiffPart[] }) {
  return (
    <div class="long-text inline-words is-change">
      {parts.map(({ kind, items }, index) => (
        <Part key={index} kind={kind} text={items.join('')} />
      ))}
    </div>
  );
}

/** One side of a word diff, with its own words marked. */
export function SideWords({
  parts,
  side,
}: {
  readonly parts: readonly DiffPart[];
  readonly side: 'removed' | 'added';
}) {
  return (
    <div class="long-text">
      <div class="piece" dir="auto">
        {parts
          .filter(({ kind }) => kind === 'same' || kind === side)
          .map(({ kind, items }, index) => (
            <Part key={index} kind={kind} text={items.join('')} />
          ))}
      </div>
    </div>
  );
}

function Part({ kind, text }: { readonly kind: DiffPart['kind']; readonly text: string }) {
  const shown = <Shown text={text} />;
  if (kind === 'same') return <span>{shown}</span>;
  return kind === 'removed' ? <del>{shown}</del> : <ins>{shown}</ins>;
}

const MAX_LINE = 2000;
const SIGNS = { same: ' ', removed: '−', added: '+', fold: '⋯' } as const;

/** Two texts, line by line. */
export function LineDiff({
  lines,
  names,
  tone,
}: {
  readonly lines: readonly DiffLine[];
  readonly names?: Names | undefined;
  readonly tone: Tone;
}) {
  return (
    <div class={`box line-diff is-${tone}`}>
      {names !== undefined && <Legend names={names} />}
      <Pieces items={lines} first={200} what="lines">
        {({ kind, text }, index) => (
          <div key={index} class={`diff-line ${kind}`}>
            <span class="sign">{SIGNS[kind]}</span>
            <span class="piece" dir="auto">
              <Shown text={text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text} />
            </span>
          </div>
        )}
      </Pieces>
    </div>
  );
}

function Legend({ names }: { readonly names: Names }) {
  return (
    <p class="legend">
      <LegendNames names={names} />
    </p>
  );
}

export function LegendNames({ names: { before, after } }: { readonly names: Names }) {
  return (
    <>
      <span class="removed">− {before}</span> <span class="added">+ {after}</span>
    </>
  );
}
