import { isJsonList, isJsonObject, type Json } from './json.ts';
import { printJson } from './print-json.ts';

/** A value in one line for people: `{"a": [1, 2]}`. A pattern keeps its single backslashes. */
export function printSpaced(value: Json): string {
  if (isJsonList(value)) return `[${value.map(printSpaced).join(', ')}]`;
  if (!isJsonObject(value)) return printJson(value).replaceAll(String.raw`\\`, '\\');
  const members = Object.entries(value).map(([key, inner]) => `${printJson(key)}: ${printSpaced(inner)}`);
  return `{${members.join(', ')}}`;
}
