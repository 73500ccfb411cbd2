import { useEffect, useMemo, useState } from 'preact/hooks';
import { showHidden } from './text.tsx';

/** How much of a text is shown at first, and then. Each click shows eight times as much. */
const FIRST = 3000;
const GROWTH = 8;
/** Browsers lay out and skip pieces of this size; one of 5 MB would block them for seconds. */
const PIECE = 8000;

/** A text of any size. Long ones are cut, with a button for more. */
export function LongText({ value, className = '' }: { readonly value: string; readonly className?: string }) {
  const [limit, setLimit] = useState(FIRST);
  useEffect(() => setLimit(FIRST), [value]);
  // A text that is only a little too long is shown completely.
  const end = value.length <= limit * 1.2 ? value.length : lineEnd(value, limit);
  const pieces = useMemo(() => cutIntoPieces(value.slice(0, end)), [value, end]);
  return (
    <div class={`long-text ${className}`}>
      {pieces.map((piece, index) => (
        <div key={index} class="piece">
          {showHidden(piece)}
        </div>
      ))}
      {end < value.length && (
        <button type="button" class="more" onClick={() => setLimit(limit * GROWTH)}>
          Show more: {formatSize(value.length - end)} left of {formatSize(value.length)}
        </button>
      )}
    </div>
  );
}

function cutIntoPieces(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = text.length - start <= PIECE ? text.length : lineEnd(text, start + PIECE);
    // Each piece is a block: its last line feed belongs to the block.
    pieces.push(text.slice(start, end).replace(/\r?\n$/, ''));
    start = end;
  }
  return pieces;
}

/** After the last line feed before the limit, or at the limit if lines are longer than that. */
function lineEnd(text: string, limit: number): number {
  const at = text.lastIndexOf('\n', limit);
  if (at > limit - PIECE / 2) return at + 1;
  const isHalf = (text.charCodeAt(limit - 1) & 0xfc00) === 0xd800;
  return isHalf ? limit - 1 : limit;
}

function formatSize(length: number): string {
  if (length < 10_000) return `${length} characters`;
  return length < 1_000_000 ? `${Math.round(length / 1000)}k` : `${(length / 1_000_000).toFixed(1)}M`;
}
