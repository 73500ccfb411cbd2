import { h, type ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { rangesWithin, useRanges, type Range } from './highlight.ts';
import { markRanges } from './text.tsx';

/** What formatted text is made of. No other element can come out of a model's text. */
type Tag =
  | 'p'
  | 'div'
  | 'ul'
  | 'ol'
  | 'li'
  | 'blockquote'
  | 'pre'
  | 'code'
  | 'strong'
  | 'em'
  | 's'
  | 'br'
  | 'hr'
  | 'table'
  | 'thead'
  | 'tbody'
  | 'tr'
  | 'th'
  | 'td'
  | 'a'
  | 'span';

export interface TextElement {
  readonly tag: Tag;
  readonly props?: Readonly<Record<string, string | number>>;
  readonly children: readonly TextNode[];
}
export type TextNode = string | TextElement;

export function element(
  tag: Tag,
  children: readonly TextNode[] = [],
  props: Readonly<Record<string, string | number>> = {},
): TextElement {
  return { tag, props, children };
}

/** Formatted text. What is highlighted is marked, also where it starts in one element and ends in another. */
export function Nodes({ nodes }: { readonly nodes: readonly TextNode[] }) {
  const ranges = useRanges(useMemo(() => plainText(nodes), [nodes]));
  const cursor = { at: 0 };
  return <>{nodes.map((node, index) => show(node, index, { cursor, ranges }))}</>;
}

const BLOCKS: ReadonlySet<Tag> = new Set(['p', 'div', 'li', 'blockquote', 'pre', 'td', 'th', 'br', 'hr']);

/** The text of the leaves, with a line feed after each block. */
export function plainText(nodes: readonly TextNode[]): string {
  return nodes
    .map((node) =>
      typeof node === 'string' ? node : plainText(node.children) + (BLOCKS.has(node.tag) ? '\n' : ''),
    )
    .join('');
}

interface Showing {
  /** How much of the plain text is shown already. */
  readonly cursor: { at: number };
  readonly ranges: readonly Range[];
}

function show(node: TextNode, key: number, showing: Showing): ComponentChildren {
  const { cursor, ranges } = showing;
  if (typeof node === 'string') {
    const start = cursor.at;
    cursor.at += node.length;
    return markRanges(node, rangesWithin(ranges, start, node.length));
  }
  const children = node.children.map((child, index) => show(child, index, showing));
  if (BLOCKS.has(node.tag)) cursor.at++;
  return h(node.tag, { key, ...node.props }, children.length === 0 ? undefined : children);
}
