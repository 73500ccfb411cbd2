import type { Json } from '../../base/model/json.ts';
import type { PathSegment } from '../../base/model/place.ts';
import type { Source } from '../../base/schema/reader.ts';
import { JsonPlaces } from './json-places.ts';
import { createLineIndex, type LineIndex } from './line-index.ts';

/** A value that knows where it stands: the offset of its first character, and the same of everything in it. */
export interface Located {
  readonly value: Json;
  readonly start: number;
  readonly items?: readonly Located[];
  readonly entries?: ReadonlyMap<string, LocatedEntry>;
}

export interface LocatedEntry {
  readonly keyStart: number;
  readonly node: Located;
}

/** The places of a whole document. */
export function createSource(file: string, lines: LineIndex, root: Located): Source {
  return { file, isLazy: false, locate: (path, part) => lines.at(findOffset(root, path, part)) };
}

/** The same of a text that is known to be JSON. */
export function createJsonSource(file: string, text: string): Source {
  const lines = createLineIndex(text);
  const places = new JsonPlaces(text);
  return { file, isLazy: false, locate: (path, part) => lines.at(places.find(path, part)) };
}

export function findOffset(root: Located, path: readonly PathSegment[], part: 'key' | 'value'): number {
  let node = root;
  let keyStart = root.start;
  for (const segment of path) {
    const entry = typeof segment === 'number' ? itemEntry(node, segment) : node.entries?.get(segment);
    if (entry === undefined) return node.start;
    ({ keyStart, node } = entry);
  }
  return part === 'key' ? keyStart : node.start;
}

function itemEntry(node: Located, index: number): LocatedEntry | undefined {
  const item = node.items?.[index];
  return item === undefined ? undefined : { keyStart: item.start, node: item };
}
