import { isJsonList, type Json } from '../model/json.ts';
import type { PathSegment } from '../model/place.ts';
import { memberOf } from './json-path.ts';

/** Reads a path like `a.b[0].c`; keys that hold dots or brackets are quoted: `a["x.y"]`. Undefined for what is no path. */
export function parseFieldPath(path: string): readonly PathSegment[] | undefined {
  const segments: PathSegment[] = [];
  SEGMENT.lastIndex = 0;
  while (SEGMENT.lastIndex < path.length) {
    const isFirst = SEGMENT.lastIndex === 0;
    const match = SEGMENT.exec(path);
    if (match === null) return undefined;
    const { dot, key, index, quoted } = match.groups as Readonly<Record<string, string | undefined>>;
    if (key !== undefined) {
      if (isFirst === (dot !== undefined)) return undefined;
      segments.push(key);
    } else {
      const segment = index === undefined ? unquote(quoted!) : Number(index);
      if (segment === undefined) return undefined;
      segments.push(segment);
    }
  }
  return segments.length === 0 ? undefined : segments;
}

/** A key, after a dot unless it is the first; or an item's number or a quoted key in brackets. */
const SEGMENT =
  /(?<dot>\.)?(?<key>[^.[\]"]+)|\[(?<index>\d+)\]|\[(?<quoted>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\]/y;

function unquote(quoted: string): string | undefined {
  if (quoted.startsWith("'")) return quoted.slice(1, -1).replaceAll(/\\(.)/g, '$1');
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return undefined;
  }
}

/** The value at a path: own keys of objects, items of lists (`a[0]` or `a.0`). Undefined when there is none. */
export function valueAtFieldPath(root: Json, path: readonly PathSegment[]): Json | undefined {
  let value: Json | undefined = root;
  for (const segment of path) {
    const isItem = isJsonList(value) && /^\d+$/.test(String(segment));
    value = memberOf(value, isItem ? Number(segment) : String(segment));
  }
  return value;
}
