import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatCount } from '../text/format.ts';

/** A part of a list, with a button for more: a conversation of ten thousand messages opens as fast as one of ten. */
export function Pieces<Item>({
  items,
  first,
  what,
  isList = false,
  columns,
  children,
}: {
  readonly items: readonly Item[];
  readonly first: number;
  /** `messages`, `steps`. */
  readonly what: string;
  /** It stands in a list, which may hold nothing but items. */
  readonly isList?: boolean;
  /** It stands in the body of a table with this many columns. */
  readonly columns?: number;
  readonly children: (item: Item, index: number) => ComponentChildren;
}) {
  const [count, setCount] = useState(first);
  const left = items.length - count;
  const more = (
    <button type="button" class="more" onClick={() => setCount(count * 3)}>
      Show more: {formatCount(left)} {what} left
    </button>
  );
  const wrap = (button: ComponentChildren): ComponentChildren => {
    if (isList) return <li>{button}</li>;
    if (columns === undefined) return button;
    return (
      <tr>
        <td colSpan={columns}>{button}</td>
      </tr>
    );
  };
  return (
    <>
      {items.slice(0, count).map(children)}
      {left > 0 && wrap(more)}
    </>
  );
}
