import type { Json } from '../../../src/model/json.ts';

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
  const isList = Array.isArray(value);
  const parts: string[] = [];
  let left = room - 4;
  for (const [key, item] of Object.entries(value)) {
    const text = inlineJson(item as Json, left);
    if (text === undefined) return undefined;
    const part = isList ? text : `${JSON.stringify(key)}: ${text}`;
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
