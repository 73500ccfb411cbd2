import { hashHex } from '../../../base/match/hash-text.ts';
import { ownValue, type Json, type JsonObject } from '../../../base/model/json.ts';
import { printJson } from '../../../base/model/print-json.ts';

/** What tells a row from the others: its `id`, or else its values. It does not depend on the order of the rows. */
export function rowName(row: JsonObject): string {
  const id = ownValue(row, 'id');
  if (typeof id === 'string' && id.trim() !== '') return id;
  if (typeof id === 'number' || typeof id === 'bigint') return String(id);
  // The order of columns must not matter either.
  const keys = Object.keys(row).sort();
  const texts = keys.map((key) => textOf(row[key]!));
  const name = texts.join(',');
  if (name.length <= READABLE && texts.every((text) => text !== '' && PLAIN.test(text))) return name;
  // Other rows may look the same when they are cut, or joined by commas.
  const readable = name
    .slice(0, READABLE)
    .replaceAll(NOT_PLAIN, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?, ?/g, ',')
    .trim();
  const hash = hashHex(printJson(keys.map((key) => [key, row[key]!]))).slice(0, 8);
  return readable === '' ? hash : `${readable}~${hash}`;
}

const READABLE = 40;
const PLAIN = /^[\p{L}\p{M}\p{N} ._+-]+$/u;
const NOT_PLAIN = /[^\p{L}\p{M}\p{N} .,_+-]/gu;

function textOf(value: Json): string {
  return typeof value === 'string' ? value.slice(0, READABLE + 1) : printJson(value);
}
