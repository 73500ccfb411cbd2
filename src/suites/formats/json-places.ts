import {
  BRACE_CLOSE,
  BRACE_OPEN,
  BRACKET_CLOSE,
  BRACKET_OPEN,
  COMMA,
  endOfString,
  skipBlanks,
  skipValue,
} from '../../base/model/json-text.ts';
import type { PathSegment } from '../../base/model/place.ts';

/**
 * Where things stand in a text that is known to be JSON. A tree of all places takes ten times the room of the text, and most
 * of them nobody asks for: members are looked for when they are, and each search goes on where the last one ended.
 */
export class JsonPlaces {
  private readonly text: string;
  /** For each level, what the last path led through: the next one mostly leads through the same. */
  private readonly open: Members[] = [];
  /** By where they begin. What took long to go through is not gone through twice. */
  private readonly long = new Map<number, Members>();

  constructor(text: string) {
    this.text = text;
  }

  /** Where a path leads nowhere, the place of what it leads to as far as it goes. */
  find(path: readonly PathSegment[], part: 'key' | 'value'): number {
    const { text } = this;
    let start = skipBlanks(text, 0);
    let keyStart = start;
    for (let level = 0; level < path.length; level++) {
      const segment = path[level]!;
      const found = this.membersAt(start, level).find(segment);
      if (found === undefined) return start;
      keyStart = found;
      start = typeof segment === 'number' ? found : valueAfterKey(text, found);
    }
    return part === 'key' ? keyStart : start;
  }

  private membersAt(start: number, level: number): Members {
    const last = this.open[level];
    if (last?.start === start) return last;
    if (last !== undefined && last.last - last.start > LONG) this.long.set(last.start, last);
    return (this.open[level] = this.long.get(start) ?? new Members(this.text, start));
  }
}

/** Shorter ones are gone through again: holding them would take more room than it saves time. */
const LONG = 16_384;

/** The members of an object or a list, as far as somebody has looked for them. */
class Members {
  readonly start: number;
  /** Where the value of the last known member begins. What is behind it is not yet gone through. */
  last: number;
  private readonly text: string;
  private readonly items: number[] | undefined;
  private readonly keys: Map<string, number> | undefined;

  constructor(text: string, start: number) {
    this.text = text;
    this.start = start;
    this.last = start;
    const first = text.charCodeAt(start);
    if (first === BRACKET_OPEN) this.items = [];
    else if (first === BRACE_OPEN) this.keys = new Map();
  }

  /** Where the item begins, or the key. */
  find(segment: PathSegment): number | undefined {
    return typeof segment === 'number' ? this.findItem(segment) : this.findKey(segment);
  }

  private findItem(index: number): number | undefined {
    const { text, items } = this;
    if (items === undefined) return undefined;
    while (items.length <= index) {
      const start = this.next();
      if (text.charCodeAt(start) === BRACKET_CLOSE) return undefined;
      items.push(start);
      this.last = start;
    }
    return items[index];
  }

  private findKey(wanted: string): number | undefined {
    const { text, keys } = this;
    if (keys === undefined) return undefined;
    let found = keys.get(wanted);
    while (found === undefined) {
      const start = this.next();
      if (text.charCodeAt(start) === BRACE_CLOSE) return undefined;
      const key = readKey(text, start);
      keys.set(key, start);
      this.last = valueAfterKey(text, start);
      if (key === wanted) found = start;
    }
    return found;
  }

  /** Where the next member begins, or the closing bracket stands. */
  private next(): number {
    const { text, start, last } = this;
    if (last === start) return skipBlanks(text, start + 1);
    const end = skipBlanks(text, skipValue(text, last));
    return text.charCodeAt(end) === COMMA ? skipBlanks(text, end + 1) : end;
  }
}

function readKey(text: string, start: number): string {
  const end = endOfString(text, start);
  const key = text.slice(start + 1, end);
  return key.includes('\\') ? (JSON.parse(text.slice(start, end + 1)) as string) : key;
}

function valueAfterKey(text: string, keyStart: number): number {
  const colon = skipBlanks(text, endOfString(text, keyStart) + 1);
  return skipBlanks(text, colon + 1);
}
