import { isJsonObject, type Json } from '../../../base/model/json.ts';
import { printJson } from '../../../base/model/print-json.ts';

/** The same text for equal values, for any order of keys. */
export function sortedJson(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => sortedJson(item)).join(',')}]`;
  if (!isJsonObject(value)) return printJson(value);
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${sortedJson(value[key])}`);
  return `{${members.join(',')}}`;
}
