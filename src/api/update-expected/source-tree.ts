import type { Node, Pair, YAMLMap, YAMLSeq } from 'yaml';
import type { PathSegment } from '../../base/model/place.ts';

/** A value as it is written: its place and its style. */
export interface SourceNode {
  readonly kind: 'scalar' | 'map' | 'list' | 'alias';
  readonly start: number;
  readonly end: number;
  readonly style: 'plain' | 'single' | 'double' | 'block' | 'flow';
  readonly entries: readonly SourceEntry[];
  readonly items: readonly SourceNode[];
  /** It has an anchor or a tag: other places may refer to it, or it means something else than it seems. */
  readonly isMarked: boolean;
}

interface SourceEntry {
  readonly key: string;
  readonly keyStart: number;
  readonly node: SourceNode;
}

/** The syntax of a text that was read without problems: YAML or JSON, which is YAML too. */
export async function parseSource(text: string): Promise<SourceNode | undefined> {
  const { isAlias, isMap, isScalar, isSeq, parseDocument } = await import('yaml');
  const convert = (node: Node | null | undefined, fallback: number): SourceNode => {
    if (node === null || node === undefined || node.range === null || node.range === undefined)
      return { ...NOTHING, start: fallback, end: fallback };
    const [start, end] = node.range;
    const isMarked = 'anchor' in node && (node.anchor !== undefined || node.tag !== undefined);
    if (isAlias(node)) return { ...NOTHING, kind: 'alias', start, end };
    if (isMap(node)) return convertMap(node, { start, end, isMarked });
    if (isSeq(node)) return convertList(node, { start, end, isMarked });
    return {
      ...NOTHING,
      start,
      end,
      isMarked,
      style: isScalar(node) ? STYLES[node.type ?? 'PLAIN']! : 'plain',
    };
  };
  const convertMap = (node: YAMLMap, { start, end, isMarked }: Extent): SourceNode => {
    const entries = (node.items as Pair<Node, Node | null>[]).map(({ key, value }) => {
      const [keyStart, keyEnd] = key.range!;
      const name = isScalar(key) ? String(key.value) : '';
      return { key: name, keyStart, node: convert(value, keyEnd + 1) };
    });
    const isFlow = node.flow === true;
    const last = entries.at(-1)?.node.end ?? end;
    return {
      ...NOTHING,
      kind: 'map',
      start,
      end: isFlow ? end : last,
      isMarked,
      entries,
      style: isFlow ? 'flow' : 'block',
    };
  };
  const convertList = (node: YAMLSeq, { start, end, isMarked }: Extent): SourceNode => {
    const items = (node.items as Node[]).map((item) => convert(item, start));
    const isFlow = node.flow === true;
    const last = items.at(-1)?.end ?? end;
    return {
      ...NOTHING,
      kind: 'list',
      start,
      end: isFlow ? end : last,
      isMarked,
      items,
      style: isFlow ? 'flow' : 'block',
    };
  };
  // Duplicate keys were refused when the file was read; checking again here takes quadratic time.
  const { contents, errors } = parseDocument(text, { uniqueKeys: false, version: '1.2' });
  return contents === null || errors.length > 0 ? undefined : convert(contents, 0);
}

type Extent = Pick<SourceNode, 'start' | 'end' | 'isMarked'>;

const NOTHING: SourceNode = {
  kind: 'scalar',
  start: 0,
  end: 0,
  style: 'plain',
  entries: [],
  items: [],
  isMarked: false,
};

const STYLES: Readonly<Record<string, SourceNode['style']>> = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'block',
  BLOCK_FOLDED: 'block',
};

/** A node and the path to it. */
export interface FoundNode {
  readonly node: SourceNode;
  readonly path: readonly PathSegment[];
  /** Something on the path may be referenced elsewhere too. */
  readonly isShared: boolean;
}

export function enter(found: FoundNode, segment: PathSegment): FoundNode | undefined {
  const { node, path } = found;
  const inner =
    typeof segment === 'number' ? node.items[segment] : node.entries.find(({ key }) => key === segment)?.node;
  if (inner === undefined) return undefined;
  return {
    node: inner,
    path: [...path, segment],
    isShared: found.isShared || inner.isMarked || inner.kind === 'alias',
  };
}

/** The outermost map that starts at an offset. */
export function findMap(root: FoundNode, offset: number): FoundNode | undefined {
  const { node } = root;
  if (node.kind === 'map' && node.start === offset) return root;
  if (offset < node.start || offset > node.end) return undefined;
  const segments: readonly PathSegment[] = [...node.items.keys(), ...node.entries.map(({ key }) => key)];
  for (const segment of segments) {
    const inner = enter(root, segment)!;
    const found = findMap(inner, offset);
    if (found !== undefined) return found;
  }
  return undefined;
}
