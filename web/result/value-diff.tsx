import { useMemo } from 'preact/hooks';
import type { Json } from '../../src/model/json.ts';
import { Pieces } from '../parts/pieces.tsx';
import { diffLines, diffWords, similarity, type DiffPart } from '../text/diff.ts';
import { valueText } from '../text/json-text.ts';
import { LongText } from '../text/long-text.tsx';
import { Shown } from '../text/text.tsx';
import { foldSame, type DiffLine } from './fold-same.ts';

export interface Names {
  readonly before: string;
  readonly after: string;
}

const EXPECTED: Names = { before: 'Expected', after: 'Actual' };
/** Texts with less than this in common are easier to read separately. */
const MIN_SIMILARITY = 0.4;
/** Short texts are compared by words, long ones by lines. */
const MAX_WORDS_LENGTH = 4000;

/** Two values, and where they differ. */
export function ValueDiff({
  before,
  after,
  names = EXPECTED,
}: {
  readonly before: Json;
  readonly after: Json;
  readonly names?: Names;
}) {
  const left = valueText(before);
  const right = valueText(after);
  const view = useMemo(() => chooseView(left, right), [left, right]);
  // Expected is good and actual is not; of two runs, neither is.
  const tone = names === EXPECTED ? 'is-claim' : 'is-change';
  if (view.kind === 'lines') return <LineDiff lines={view.lines} names={names} tone={tone} />;
  const parts = view.kind === 'words' ? view.parts : undefined;
  return (
    <div class={`two-values ${tone}`}>
      <span class="label">{names.before}</span>
      <div class="value value-before">
        {parts === undefined ? <Whole text={left} /> : <Words parts={parts} side="removed" />}
      </div>
      <span class="label">{names.after}</span>
      <div class="value value-after">
        {parts === undefined ? <Whole text={right} /> : <Words parts={parts} side="added" />}
      </div>
    </div>
  );
}

type View =
  | { readonly kind: 'whole' }
  | { readonly kind: 'words'; readonly parts: readonly DiffPart[] }
  | { readonly kind: 'lines'; readonly lines: readonly DiffLine[] };

function chooseView(left: string, right: string): View {
  const isLong = left.includes('\n') && right.includes('\n');
  if (!isLong) {
    if (left.length + right.length > MAX_WORDS_LENGTH) return { kind: 'whole' };
    const parts = diffWords(left, right);
    return similarity(parts) < MIN_SIMILARITY ? { kind: 'whole' } : { kind: 'words', parts };
  }
  const parts = diffLines(left, right);
  return similarity(parts) < MIN_SIMILARITY / 2
    ? { kind: 'whole' }
    : { kind: 'lines', lines: foldSame(parts) };
}

function Whole({ text }: { readonly text: string }) {
  return text === '' ? <span class="dim">(empty)</span> : <LongText className="code" value={text} />;
}

/** One side of a word diff, with its own words marked. */
function Words({ parts, side }: { readonly parts: readonly DiffPart[]; readonly side: 'removed' | 'added' }) {
  const Mark = side === 'removed' ? 'del' : 'ins';
  return (
    <div class="long-text code">
      {parts
        .filter(({ kind }) => kind === 'same' || kind === side)
        .map(({ kind, items }, index) => {
          const text = <Shown text={items.join('')} />;
          return kind === 'same' ? <span key={index}>{text}</span> : <Mark key={index}>{text}</Mark>;
        })}
    </div>
  );
}

function LineDiff({
  lines,
  names,
  tone,
}: {
  readonly lines: readonly DiffLine[];
  readonly names: Names;
  readonly tone: string;
}) {
  return (
    <div class={`line-diff ${tone}`}>
      <p class="legend">
        <span class="removed">− {names.before}</span> <span class="added">+ {names.after}</span>
      </p>
      <Pieces items={lines} first={200} what="lines">
        {({ kind, text }, index) => (
          <div key={index} class={`diff-line ${kind}`}>
            <span class="sign">{SIGNS[kind]}</span>
            <span>
              <Shown text={text.length > 2000 ? `${text.slice(0, 2000)}…` : text} />
            </span>
          </div>
        )}
      </Pieces>
    </div>
  );
}

const SIGNS = { same: ' ', removed: '−', added: '+', fold: '⋯' } as const;
