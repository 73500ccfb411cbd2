import { isJsonList, type Json } from '../model/json.ts';
import type { PathSegment } from '../model/place.ts';
import { memberOf } from './json-path.ts';

/** A place in a request or a response: `$.choices[0].message.content`, `items[-1]`, `calls[*].name`, `["a key"].x`. */
export type ReplyPath = readonly (PathSegment | typeof EVERY_ITEM)[];

/** `[*]` */
export const EVERY_ITEM = Symbol('*');

/** Undefined when the text is no path. `$` or nothing before the first segment is the value itself. */
export function parseReplyPath(text: string): ReplyPath | undefined {
  const segments: ReplyPath[number][] = [];
  const source = text.trim().replace(/^\$/, '');
  const first = /^[.[]/.test(source) || source === '' ? source : `.${source}`;
  SEGMENT.lastIndex = 0;
  while (SEGMENT.lastIndex < first.length) {
    const match = SEGMENT.exec(first);
    if (match === null) return undefined;
    const [, key, index, quoted] = match;
    if (index === undefined) segments.push(key ?? quoted!.slice(1, -1));
    else segments.push(index === '*' ? EVERY_ITEM : Number(index));
  }
  return segments;
}

const SEGMENT = /\.([^.[\]"'\s]+)|\[(-?\d+|\*)\]|\[("[^"]*"|'[^']*')\]/y;

/** Undefined when nothing is there. */
export function valueInReply(value: Json | undefined, [segment, ...rest]: ReplyPath): Json | undefined {
  if (segment === undefined || value === undefined) return value;
  if (segment !== EVERY_ITEM) return valueInReply(memberOf(value, segment), rest);
  if (!isJsonList(value)) return undefined;
  return value.map((item) => valueInReply(item, rest)).filter((found) => found !== undefined);
}
