import type { Json } from '../../base/model/json.ts';
import { skipBlanks, skipValue } from '../../base/model/json-text.ts';
import { isCleanJson } from './clean-json.ts';
import type { ItemReading } from './list-items.ts';
import { createJsonSource } from './located.ts';

/** A text that is one list of JSON, whose items are read one by one. */
export interface JsonList {
  readonly length: number;
  item(index: number): Json;
}

/**
 * The items of a list, none of which is held. Undefined for any other text, and for one that JSON.parse would not read as
 * `readStrictJson` does: that one has to look.
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
    source: createJsonSource(file, text),
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
    const end = skipValue(text, position);
    if (end === position) return undefined;
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
