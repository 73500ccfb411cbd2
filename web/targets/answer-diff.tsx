import { useMemo } from 'preact/hooks';
import { Pieces } from '../parts/pieces.tsx';
import type { Json } from '../../src/model/json.ts';
import { parseExactJson } from '../source/parse-exact-json.ts';
import type { DiffLine, DiffPart } from '../../src/match/diff-sequences.ts';
import { diffLines, diffWords, foldedLines, similarity } from '../text/diff.ts';
import { jsonText } from '../text/json/json-text.ts';
import { RichText } from '../text/rich-text.tsx';
import { Shown } from '../text/text.tsx';

/** Short texts are compared by words, long ones by lines. */
const MAX_WORDS_LENGTH = 6000;
/** Texts with less than this in common are easier to read alone. */
const MIN_SIMILARITY = 0.3;

/** An answer, with what it has that the reference has not, and the other way round. */
export function AnswerDiff({
  answer,
  reference,
}: {
  readonly answer: string;
  /** Undefined: the answer is shown alone. */
  readonly reference: string | undefined;
}) {
  const view = useMemo(
    () => (reference === undefined ? WHOLE : chooseView(reference, answer)),
    [answer, reference],
  );
  switch (view.kind) {
    case 'equal':
      return (
        <>
          <p class="answer-note dim">The same answer</p>
          <RichText value={answer} />
        </>
      );
    case 'words':
      return (
        <div class="long-text answer-words">
          {view.parts.map(({ kind, items }, index) => {
            const text = <Shown text={items.join('')} />;
            if (kind === 'same') return <span key={index}>{text}</span>;
            return kind === 'removed' ? <del key={index}>{text}</del> : <ins key={index}>{text}</ins>;
          })}
        </div>
      );
    case 'lines':
      return (
        <div class="line-diff is-change">
          <Pieces items={view.lines} first={100} what="lines">
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
    case 'unlike':
      return (
        <>
          <p class="answer-note dim">Too different to mark single words</p>
          <RichText value={answer} />
        </>
      );
    case 'whole':
      return <RichText value={answer} />;
  }
}

const SIGNS = { same: ' ', removed: '−', added: '+', fold: '⋯' } as const;

type View =
  | { readonly kind: 'whole' | 'equal' | 'unlike' }
  | { readonly kind: 'words'; readonly parts: readonly DiffPart[] }
  | { readonly kind: 'lines'; readonly lines: readonly DiffLine[] };

const WHOLE: View = { kind: 'whole' };

function chooseView(whole: string, other: string): View {
  if (whole === other) return { kind: 'equal' };
  const [reference, answer] = inOneLayout(whole, other);
  if (reference === answer) return { kind: 'equal' };
  const isShort = reference.length + answer.length <= MAX_WORDS_LENGTH;
  const parts = isShort ? diffWords(reference, answer) : diffLines(reference, answer);
  if (similarity(parts) < MIN_SIMILARITY) return { kind: 'unlike' };
  return isShort ? { kind: 'words', parts } : { kind: 'lines', lines: foldedLines(parts) };
}

/** The layout of JSON is no difference. */
function inOneLayout(...texts: readonly [string, string]): readonly [string, string] {
  try {
    const [left, right] = texts.map((text) => jsonText(parseExactJson(text) as Json));
    return [left!, right!];
  } catch {
    return texts;
  }
}
