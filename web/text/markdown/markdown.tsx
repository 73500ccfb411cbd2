import { useMemo, useState } from 'preact/hooks';
import { useRanges } from '../highlight.ts';
import { formatSize, LongText } from '../long-text.tsx';
import { Nodes } from '../nodes.tsx';
import { markdownNodes } from './markdown-nodes.ts';
import { splitMarkdown } from './split-markdown.ts';

/** How many pieces are shown at first, and how many more with each click: each takes a moment to lay out. */
const FIRST = 1;
const MORE = 10;
/** A mark further down than this does not open the text up to it. */
const MAX_OPEN = 100_000;

/** A text as Markdown, in pieces: an answer of a megabyte opens as fast as one of a page. */
export function Markdown({ value }: { readonly value: string }) {
  const pieces = useMemo(() => splitMarkdown(value), [value]);
  const [count, setCount] = useState(FIRST);
  const mark = useRanges(value)[0]?.end ?? 0;
  const shown = Math.max(count, piecesUpTo(pieces, Math.min(mark, MAX_OPEN)));
  const left = pieces.slice(shown).reduce((sum, piece) => sum + piece.length, 0);
  return (
    <div class="markdown">
      {pieces.slice(0, shown).map((piece, index) => (
        <MarkdownPiece key={index} text={piece} />
      ))}
      {left > 0 && (
        <button type="button" class="more" onClick={() => setCount(shown + MORE)}>
          Show more: {formatSize(left)} left of {formatSize(value.length)}
        </button>
      )}
    </div>
  );
}

function piecesUpTo(pieces: readonly string[], place: number): number {
  let count = 0;
  for (let end = 0; end < place && count < pieces.length; count++) end += pieces[count]!.length;
  return count;
}

function MarkdownPiece({ text }: { readonly text: string }) {
  const nodes = useMemo(() => markdownNodes(text), [text]);
  if (nodes === undefined) return <LongText value={text} />;
  return (
    <div class="markdown-piece">
      <Nodes nodes={nodes} />
    </div>
  );
}
