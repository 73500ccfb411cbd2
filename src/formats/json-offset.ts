import { endOfString } from '../model/json-string.ts';
import type { PathSegment } from '../model/place.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const BRACKET_OPEN = 0x5b;
const BRACKET_CLOSE = 0x5d;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;

interface FoundItem {
  readonly path: readonly PathSegment[];
  /** The last segment of the path. */
  readonly index: number;
  readonly offset: number;
}

/**
 * Where things stand in a text that is known to be JSON: as `findOffset` says, without making a tree first. Where a path
 * leads nowhere, the place of what it leads to as far as it goes.
 */
export class JsonOffsets {
  private readonly text: string;
  /** An item of a list: the next one to be looked for is often one behind it. */
  private last: FoundItem | undefined;
  /** By where they begin: where the items of long lists stand. */
  private readonly lists = new Map<number, readonly number[]>();

  constructor(text: string) {
    this.text = text;
  }

  find(path: readonly PathSegment[], part: 'key' | 'value'): number {
    const index = path.at(-1);
    const behind = typeof index === 'number' ? this.itemBefore(path, index) : undefined;
    if (behind === undefined) return this.search(path, part);
    const offset = itemFrom(this.text, behind.offset, (index as number) - behind.index);
    if (offset === -1) return this.search(path, part);
    this.last = { path, index: index as number, offset };
    return offset;
  }

  /** The item that was found last, if it stands in the same list, and not behind the one that is looked for. */
  private itemBefore(path: readonly PathSegment[], index: number): FoundItem | undefined {
    const { last } = this;
    if (last === undefined || last.index > index || last.path.length !== path.length) return undefined;
    for (let depth = 0; depth < path.length - 1; depth++)
      if (last.path[depth] !== path[depth]) return undefined;
    return last;
  }

  private search(path: readonly PathSegment[], part: 'key' | 'value'): number {
    const { text } = this;
    let start = skipBlanks(text, 0);
    let keyStart = start;
    for (const segment of path) {
      const found =
        typeof segment === 'number' ? this.findItem(start, segment) : findKey(text, start, segment);
      if (found === -1) return start;
      keyStart = found;
      start = typeof segment === 'number' ? found : valueAfterKey(text, found);
    }
    const index = path.at(-1);
    if (typeof index === 'number') this.last = { path, index, offset: start };
    return part === 'key' ? keyStart : start;
  }

  private findItem(start: number, wanted: number): number {
    const { text } = this;
    const known = this.lists.get(start);
    if (known !== undefined) return known[wanted] ?? -1;
    if (text.charCodeAt(start) !== BRACKET_OPEN) return -1;
    const offset = itemFrom(text, skipBlanks(text, start + 1), wanted);
    // Going through a long list for each of its items would take long.
    if (wanted >= LONG_LIST && offset !== -1) this.lists.set(start, itemsOf(text, start));
    return offset;
  }
}

const LONG_LIST = 64;

function itemsOf(text: string, start: number): readonly number[] {
  const items: number[] = [];
  let position = skipBlanks(text, start + 1);
  while (text.charCodeAt(position) !== BRACKET_CLOSE) {
    items.push(position);
    position = nextMember(text, skipValue(text, position));
  }
  return items;
}

/** The item so many behind the one at `start`; -1 when there are not so many. */
function itemFrom(text: string, start: number, wanted: number): number {
  let position = start;
  for (let index = 0; text.charCodeAt(position) !== BRACKET_CLOSE; index++) {
    if (index === wanted) return position;
    position = nextMember(text, skipValue(text, position));
  }
  return -1;
}

function findKey(text: string, start: number, wanted: string): number {
  if (text.charCodeAt(start) !== BRACE_OPEN) return -1;
  let position = skipBlanks(text, start + 1);
  while (text.charCodeAt(position) !== BRACE_CLOSE) {
    if (isKey(text, position, wanted)) return position;
    position = nextMember(text, skipValue(text, valueAfterKey(text, position)));
  }
  return -1;
}

function isKey(text: string, start: number, wanted: string): boolean {
  const end = endOfString(text, start);
  if (end - start - 1 === wanted.length && text.startsWith(wanted, start + 1)) return true;
  const written = text.slice(start, end + 1);
  return written.includes('\\') && JSON.parse(written) === wanted;
}

function valueAfterKey(text: string, keyStart: number): number {
  const colon = skipBlanks(text, endOfString(text, keyStart) + 1);
  return skipBlanks(text, colon + 1);
}

/** From the end of one member to the next, or to the closing bracket. */
function nextMember(text: string, end: number): number {
  const position = skipBlanks(text, end);
  return text.charCodeAt(position) === COMMA ? skipBlanks(text, position + 1) : position;
}

function skipValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return endOfString(text, start) + 1;
  if (first !== BRACE_OPEN && first !== BRACKET_OPEN) return skipWord(text, start);
  let depth = 0;
  for (let index = start; ; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === BRACE_OPEN || code === BRACKET_OPEN) depth++;
    else if ((code === BRACE_CLOSE || code === BRACKET_CLOSE) && --depth === 0) return index + 1;
  }
}

/** A number, `true`, `false` or `null`. */
function skipWord(text: string, start: number): number {
  let index = start;
  for (; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code <= 0x20 || code === COMMA || code === BRACE_CLOSE || code === BRACKET_CLOSE) break;
  }
  return index;
}

function skipBlanks(text: string, start: number): number {
  let index = start;
  while (text.charCodeAt(index) <= 0x20) index++;
  return index;
}
