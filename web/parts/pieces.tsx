import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatCount } from '../text/format.ts';

/** Some of a list, and then more of it: a conversation of ten thousand messages opens as fast as one of ten. */
export function Pieces<Item>({
  items,
  first,
  what,
  children,
}: {
  readonly items: readonly Item[];
  readonly first: number;
  /** `messages`, `steps`. */
  readonly what: string;
  readonly children: (item: Item, index: number) => ComponentChildren;
}) {
  const [count, setCount] = useState(first);
  const left = items.length - count;
  return (
    <>
      {items.slice(0, count).map(children)}
      {left > 0 && (
        <button type="button" class="more" onClick={() => setCount(count * 3)}>
          Show more: {formatCount(left)} {what} left
        </button>
      )}
    </>
  );
}
