import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../../src/base/model/json.ts';
import { isDataImage } from '../data-image.ts';
import { plural } from '../format.ts';
import { joinPath } from './json-path.ts';
import { inlineJson } from './json-text.ts';

/** A line of a tree. */
export interface JsonRow {
  readonly path: string;
  readonly key: string | number;
  readonly depth: number;
  readonly value: Json;
  /** `leaf`: shown whole in its line. `folder`: can be opened. `text`: a long text, which can be opened. `more`: items that are not shown yet. */
  readonly kind: 'leaf' | 'folder' | 'text' | 'more';
  readonly isOpen: boolean;
  /** Its place among the items around it, from 1 on, and how many there are. */
  readonly position: number;
  readonly size: number;
}

/** What a reader has opened and closed, by path. */
export interface Folding {
  readonly toggled: ReadonlyMap<string, boolean>;
  /** How many items of a list are shown. */
  readonly limits: ReadonlyMap<string, number>;
}

export const NOTHING_TOGGLED: Folding = { toggled: new Map(), limits: new Map() };
export const FIRST_ITEMS = 100;
/** So many lines are open at first; what goes beyond them is folded. */
const OPEN_LINES = 40;
const OPEN_PICTURES = 8;
const INLINE = 64;
const LONG_TEXT = 120;

/** The visible lines of a value, its own brackets left out. */
export function jsonRows(
  value: Json,
  folding: Folding,
  marked: ReadonlySet<string> = NONE,
): readonly JsonRow[] {
  const open = openAtFirst(value);
  const rows: JsonRow[] = [];
  addRows(value, { path: '', depth: 0 });
  return rows;

  function addRows(parent: Json, { path, depth }: { readonly path: string; readonly depth: number }): void {
    const size = sizeOf(parent);
    const limit = folding.limits.get(path) ?? FIRST_ITEMS;
    // A few too many are shown as well.
    const end = size <= limit * 1.2 ? size : limit;
    for (const [index, [key, item]] of firstItems(parent, end).entries()) {
      const own = joinPath(path, key);
      const kind = kindOf(item);
      const isOpen = kind !== 'leaf' && (folding.toggled.get(own) ?? (open.has(own) || marked.has(own)));
      rows.push({
        path: own,
        key,
        depth,
        value: item,
        kind,
        isOpen,
        position: index + 1,
        size,
      });
      if (isOpen && kind === 'folder') addRows(item, { path: own, depth: depth + 1 });
    }
    if (end < size)
      rows.push({
        path,
        key: '',
        depth,
        value: size - end,
        kind: 'more',
        isOpen: false,
        position: end + 1,
        size,
      });
  }
}

const NONE: ReadonlySet<string> = new Set();
const MAX_MARKED = 50;

/** The paths of what must be open so that each value with a mark is seen; only of the first ones. */
export function markedPaths(value: Json, isMarked: (text: string) => boolean): ReadonlySet<string> {
  const paths = new Set<string>();
  search(value, '', []);
  return paths;

  function search(item: Json, path: string, above: readonly string[]): void {
    if (paths.size > MAX_MARKED) return;
    if (typeof item === 'string' && kindOf(item) === 'text' && isMarked(item)) paths.add(path);
    if (typeof item !== 'object' && isMarked(String(item))) for (const one of above) paths.add(one);
    for (const [key, inner] of firstItems(item, FIRST_ITEMS))
      search(inner, joinPath(path, key), path === '' ? above : [...above, path]);
  }
}

/** The outer folders first, as long as there is room for all of their items. */
function openAtFirst(root: Json): ReadonlySet<string> {
  const open = new Set<string>();
  let pictures = 0;
  let lines = Math.min(sizeOf(root), FIRST_ITEMS);
  let level: readonly (readonly [string, Json])[] = [['', root]];
  while (level.length > 0 && lines < OPEN_LINES) {
    const next: (readonly [string, Json])[] = [];
    for (const [path, value] of level) {
      for (const [key, item] of firstItems(value, FIRST_ITEMS)) {
        if (typeof item === 'string' && pictures < OPEN_PICTURES && isDataImage(item)) {
          open.add(joinPath(path, key));
          pictures++;
        }
        if (kindOf(item) !== 'folder') continue;
        const size = sizeOf(item);
        if (lines + size > OPEN_LINES) continue;
        lines += size;
        const own = joinPath(path, key);
        open.add(own);
        next.push([own, item]);
      }
    }
    level = next;
  }
  return open;
}

function kindOf(value: Json): 'leaf' | 'folder' | 'text' {
  if (typeof value === 'string')
    return value.length > LONG_TEXT || value.includes('\n') || isDataImage(value) ? 'text' : 'leaf';
  if (typeof value !== 'object' || value === null) return 'leaf';
  return inlineJson(value, INLINE) === undefined ? 'folder' : 'leaf';
}

/** Only those that are looked at: a list may have a hundred thousand. */
function firstItems(value: Json, most: number): readonly (readonly [string | number, Json])[] {
  if (isJsonList(value)) return value.slice(0, most).map((item, index) => [index, item] as const);
  return isJsonObject(value)
    ? keysOf(value)
        .slice(0, most)
        .map((key) => [key, value[key]!] as const)
    : [];
}

function sizeOf(value: Json): number {
  if (isJsonList(value)) return value.length;
  return isJsonObject(value) ? keysOf(value).length : 0;
}

/** The keys of a large object take long to list, and are asked for with every click. */
const knownKeys = new WeakMap<JsonObject, readonly string[]>();

function keysOf(value: JsonObject): readonly string[] {
  let keys = knownKeys.get(value);
  if (keys === undefined) knownKeys.set(value, (keys = Object.keys(value)));
  return keys;
}

/** `12 keys`, `10,000 items`. */
export function sizeText(value: Json): string {
  return plural(sizeOf(value), Array.isArray(value) ? 'item' : 'key');
}
