import { Pieces } from '../parts/pieces.tsx';
import { Shown } from '../text/text.tsx';
import type { Tone } from './change-list.tsx';
import type { DiffLine } from '../../src/match/diff-sequences.ts';

const MAX_LINE = 2000;

/** Two texts, line by line. */
export function LineDiff({
  lines,
  names,
  tone,
}: {
  readonly lines: readonly DiffLine[];
  readonly names: { readonly before: string; readonly after: string };
  readonly tone: Tone;
}) {
  return (
    <div class={`line-diff is-${tone}`}>
      <p class="legend">
        <span class="removed">− {names.before}</span> <span class="added">+ {names.after}</span>
      </p>
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

const SIGNS = { same: ' ', removed: '−', added: '+', fold: '⋯' } as const;
