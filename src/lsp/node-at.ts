import {
  isMap,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  type Node,
  type ParsedNode,
  type YAMLMap,
} from 'yaml';
import { LIMITS } from '../suites/formats/limits.ts';
import type { Json } from '../base/model/json.ts';
import { blankSiblings } from './blank-siblings.ts';
import type { PathSegment } from '../base/model/place.ts';

/** A key or a value of a document, and what is around it. */
export interface FoundNode {
  /** From the root of the document to it: keys and positions. The last one is the key itself, for a key. */
  readonly path: readonly PathSegment[];
  /** The mapping or list at each step of the path, with its own values and without what is in them. */
  readonly around: readonly Json[];
  readonly role: 'key' | 'value';
  /** What is written there. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The most that is parsed while somebody types: this parser keeps everything, and is slow. */
const MOST_PARSED = 1024 * 1024;

/**
 * The key or value at an offset of a YAML or JSON text; of a dataset, only its line is looked at. Text that is being typed may be
 * broken: the parser goes on after mistakes.
 */
export function nodeAt(
  text: string,
  offset: number,
  { isLines }: { readonly isLines: boolean },
): FoundNode | undefined {
  const start = isLines ? text.lastIndexOf('\n', offset - 1) + 1 : 0;
  const end = isLines ? (text.indexOf('\n', offset) + text.length + 1) % (text.length + 1) : text.length;
  const body = blankSiblings(text.slice(start, end), offset - start);
  if (body.replaceAll(/[ \n]+/g, '').length > MOST_PARSED || mayBeDeep(body)) return undefined;
  // Without an end of the line, the parser takes the last letter for the quote that is missing.
  const root = parse(`${body}\n`);
  const found = root === undefined ? undefined : search(root, offset - start, []);
  return found && { ...found, start: found.start + start, end: found.end + start };
}

/**
 * Whether a text may be nested deeper than the limit: the parser below calls itself for each level, and a stack that overflows
 * there ends the process. Brackets in quotes open, but do not close, so that no text is taken for flatter than it is.
 */
function mayBeDeep(text: string): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(/(?<=^|[\s,:[{])(?:"(?:\\[^]|[^"\\])*"?|'[^']*'?)|[[{\]}]/gm)) {
    depth += token.match(/[[{]/g)?.length ?? 0;
    if (token === ']' || token === '}') depth = Math.max(0, depth - 1);
    else if (/^["'].*["']$/s.test(token)) depth -= Math.min(depth, token.match(/[[{]/g)?.length ?? 0);
    if (depth > LIMITS.depth) return true;
  }
  // What was left out is blank.
  const written = text.split('\n').filter((line) => line.trim() !== '');
  return written.some((line) => {
    const [, indent = '', marks = ''] = /^( *)((?:[-?:] +)*)/.exec(line)!;
    return indent.length / 2 + marks.length / 2 > LIMITS.depth;
  });
}

function parse(text: string): ParsedNode | undefined {
  try {
    const { contents } = parseDocument(text, {
      uniqueKeys: false,
      strict: false,
      logLevel: 'silent',
      prettyErrors: false,
    });
    return contents ?? undefined;
  } catch {
    return undefined;
  }
}

interface Step {
  readonly segment: PathSegment;
  readonly around: Json;
}

function search(node: Node, offset: number, steps: readonly Step[]): FoundNode | undefined {
  if (steps.length > MOST_DEEP) return undefined;
  if (isMap(node)) return searchMap(node, offset, steps);
  if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) {
      const inside = isPair(item) ? undefined : (item as Node | null);
      if (inside !== null && inside !== undefined && contains(inside, offset))
        return search(inside, offset, [...steps, { segment: index, around: shallow(node) }]);
    }
    return undefined;
  }
  if (!isScalar(node)) return undefined;
  return foundAt(node, steps, 'value');
}

const MOST_DEEP = 200;

function searchMap(map: YAMLMap, offset: number, steps: readonly Step[]): FoundNode | undefined {
  for (const { key, value } of map.items) {
    if (!isScalar(key)) continue;
    const step = { segment: String(key.value), around: shallow(map) };
    if (contains(key, offset)) return foundAt(key, [...steps, step], 'key');
    if (value !== null && contains(value as Node, offset))
      return search(value as Node, offset, [...steps, step]);
  }
  return undefined;
}

function foundAt(node: Node, steps: readonly Step[], role: FoundNode['role']): FoundNode {
  const [start, end] = node.range!;
  return {
    path: steps.map(({ segment }) => segment),
    around: steps.map(({ around }) => around),
    role,
    text: isScalar(node) ? String(node.value ?? '') : '',
    start,
    end,
  };
}

function contains({ range }: Node, offset: number): boolean {
  return range !== null && range !== undefined && range[0] <= offset && offset <= range[1];
}

/** The values of a mapping or list: texts and numbers as they are, and `{}` or `[]` for what has values of its own. */
function shallow(node: unknown): Json {
  if (isMap(node))
    return Object.fromEntries(
      node.items.flatMap(({ key, value }) => (isScalar(key) ? [[String(key.value), leaf(value)]] : [])),
    );
  if (isSeq(node)) return node.items.map(leaf);
  return leaf(node);
}

function leaf(node: unknown): Json {
  if (isMap(node)) return {};
  if (isSeq(node)) return [];
  const value = isScalar(node) ? node.value : null;
  return ['string', 'number', 'boolean'].includes(typeof value) ? (value as Json) : null;
}
