import { isJsonList, type Json, type JsonObject } from '../../../src/base/model/json.ts';

/** JSON for people: short lists and objects on one line, integers of any size as they are. */
export function jsonText(value: Json, indent = ''): string {
  const inline = inlineJson(value, 72);
  if (inline !== undefined) return inline;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => inner + jsonText(item, inner)).join(',\n')}\n${indent}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const lines = Object.entries(value).map(
      ([key, item]) => `${inner}${JSON.stringify(key)}: ${jsonText(item, inner)}`,
    );
    return `{\n${lines.join(',\n')}\n${indent}}`;
  }
  return scalarText(value as Scalar);
}

type Scalar = null | boolean | number | bigint | string;

/** Undefined if it would be longer than this. */
export function inlineJson(value: Json, room: number): string | undefined {
  if (typeof value !== 'object' || value === null) {
    const text = typeof value === 'string' && value.length > room ? undefined : scalarText(value as Scalar);
    return text === undefined || text.length > room ? undefined : text;
  }
  const isList = isJsonList(value);
  // A list of a hundred thousand is too long after a few: its keys are not even listed.
  const keys = isList ? undefined : Object.keys(value);
  const count = isList ? value.length : keys!.length;
  if (count > room) return undefined;
  const parts: string[] = [];
  let left = room - 4;
  for (let at = 0; at < count; at++) {
    const key = keys?.[at];
    const item = isList ? value[at]! : (value as JsonObject)[key!]!;
    const text = inlineJson(item, left);
    if (text === undefined) return undefined;
    const part = key === undefined ? text : `${JSON.stringify(key)}: ${text}`;
    left -= part.length + 2;
    if (left < 0) return undefined;
    parts.push(part);
  }
  if (isList) return `[${parts.join(', ')}]`;
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

function scalarText(value: Scalar): string {
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

/** Text as it is; anything else as JSON. */
export function valueText(value: Json): string {
  return typeof value === 'string' ? value : jsonText(value);
}
