import type { Json } from '../model/json.ts';
import { endOfString } from '../model/json-string.ts';
import { isCleanJson } from './clean-json.ts';
import type { ItemReading } from './list-items.ts';
import { createScannedSource } from './located.ts';

/** A text that is one list of JSON, whose items are read one by one. */
export interface JsonList {
  readonly length: number;
  item(index: number): Json;
}

/**
 * The items of a list, none of which is held. Undefined for any other text, and for one that JSON.parse would not read as
 * `parseJsonTree` does: that one has to look.
 */
export function openJsonList(text: string): JsonList | undefined {
  const places = splitList(text);
  if (places === undefined) return undefined;
  const item = (index: number): Json =>
    JSON.parse(text.slice(places[2 * index], places[2 * index + 1])) as Json;
  const list = { length: places.length / 2, item };
  try {
    for (let index = 0; index < list.length; index++)
      // In its brackets, so that it is as deep as it stands in the list.
      if (!isCleanJson(`[${text.slice(places[2 * index], places[2 * index + 1])}]`, [item(index)]))
        return undefined;
  } catch {
    return undefined;
  }
  return list;
}

export function readJsonList(file: string, text: string, list: JsonList): ItemReading {
  return {
    source: createScannedSource(file, text),
    findings: [],
    *items() {
      for (let index = 0; index < list.length; index++) yield list.item(index);
    },
  };
}

/** Where each item begins and ends; undefined when this is no list. An item need not be valid. */
function splitList(text: string): readonly number[] | undefined {
  const places: number[] = [];
  let position = skipBlanks(text, 0);
  if (text[position] !== '[') return undefined;
  position = skipBlanks(text, position + 1);
  if (text[position] === ']') return isEnd(text, position + 1) ? places : undefined;
  for (;;) {
    const end = endOfItem(text, position);
    if (end === undefined || end === position) return undefined;
    places.push(position, end);
    position = skipBlanks(text, end);
    if (text[position] === ']') return isEnd(text, position + 1) ? places : undefined;
    if (text[position] !== ',') return undefined;
    position = skipBlanks(text, position + 1);
  }
}

function isEnd(text: string, position: number): boolean {
  return skipBlanks(text, position) === text.length;
}

/** Up to the comma or bracket behind the item. */
function endOfItem(text: string, start: number): number | undefined {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === BRACE_OPEN || code === BRACKET_OPEN) depth++;
    else if (depth === 0 && (code === COMMA || code === BRACKET_CLOSE)) return index;
    else if (code === BRACE_CLOSE || code === BRACKET_CLOSE) depth--;
  }
  return undefined;
}

function skipBlanks(text: string, start: number): number {
  let index = start;
  while (BLANKS.has(text.charCodeAt(index))) index++;
  return index;
}

const BLANKS: ReadonlySet<number> = new Set([0x20, 0x0a, 0x0d, 0x09]);
const QUOTE = 0x22;
const COMMA = 0x2c;
const BRACKET_OPEN = 0x5b;
const BRACKET_CLOSE = 0x5d;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;
