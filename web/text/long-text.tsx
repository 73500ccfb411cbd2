import { useEffect, useMemo, useState } from 'preact/hooks';
import { rangesWithin, useRanges } from './highlight.ts';
import { cutIntoPieces, pieceEnd } from './pieces-of-text.ts';
import { markRanges } from './text.tsx';

/** How much of a text is shown at first, and then. Each click shows eight times as much. */
const FIRST = 3000;
const GROWTH = 8;
/** A mark further down than this does not open the text up to it. */
const MAX_OPEN = 400_000;

/** A text of any size. Long ones are cut, with a button for more. A cut text is shown up to its first mark. */
export function LongText({
  value,
  className = '',
  dir = 'auto',
}: {
  readonly value: string;
  readonly className?: string;
  /** `ltr` for code. Otherwise each line has the direction of its own text. */
  readonly dir?: 'auto' | 'ltr';
}) {
  const [limit, setLimit] = useState(FIRST);
  useEffect(() => setLimit(FIRST), [value]);
  const ranges = useRanges(value);
  const mark = ranges[0]?.end ?? 0;
  const wanted = mark > limit && mark < MAX_OPEN ? mark + FIRST / 2 : limit;
  // A text that is only a little too long is shown completely.
  const end = value.length <= wanted * 1.2 ? value.length : pieceEnd(value, 0, wanted);
  const pieces = useMemo(() => cutIntoPieces(value.slice(0, end)), [value, end]);
  return (
    <div class={`long-text ${className}`}>
      {pieces.map(({ start, text }) => (
        <div key={start} class="piece" dir={dir}>
          {markRanges(text, rangesWithin(ranges, start, text.length))}
        </div>
      ))}
      {end < value.length && (
        <button type="button" class="more" onClick={() => setLimit(wanted * GROWTH)}>
          Show more: {formatSize(value.length - end)} left of {formatSize(value.length)}
        </button>
      )}
    </div>
  );
}

export function formatSize(length: number): string {
  if (length < 10_000) return `${length} characters`;
  return length < 1_000_000 ? `${Math.round(length / 1000)}k` : `${(length / 1_000_000).toFixed(1)}M`;
}
