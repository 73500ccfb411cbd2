import { isJsonList, isJsonObject, type Json } from '../../../src/model/json.ts';
import { keepExact } from '../../source/parse-exact-json.ts';

/** A larger text is shown as it is. */
const MAX_LENGTH = 2_000_000;
const NESTED_TOO_DEEP = /[[{](?:\s*(?:[[{]|"(?:[^"\\]|\\.){0,100}"\s*:)){200}/;

/**
 * The object or list that a text consists of. Undefined if it is anything else, or if something would be lost: a key that occurs
 * twice, or a number that no browser can hold.
 */
export function parseJsonText(text: string): Json | undefined {
  const trimmed = text.trim();
  const isClosed = /^\{[^]*\}$|^\[[^]*\]$/.test(trimmed);
  if (!isClosed || trimmed.length > MAX_LENGTH || NESTED_TOO_DEEP.test(trimmed)) return undefined;
  try {
    const value = JSON.parse(trimmed, keepExact) as Json;
    return isWhole(trimmed, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Every key and every number of the text is in the value. */
function isWhole(text: string, value: Json): boolean {
  let keys = 0;
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*/g)) {
    const [token, colon] = match;
    if (colon !== undefined) keys++;
    if (!token.startsWith('"') && !isExactNumber(token)) return false;
  }
  return keys === countKeys(value);
}

function isExactNumber(source: string): boolean {
  const number = Number(source);
  if (/^-?\d+$/.test(source) && !Number.isSafeInteger(number)) return HAS_SOURCES;
  return Number.isFinite(number) && digitsOf(source) === digitsOf(String(number));
}

/** Whether this browser tells how a number was written. */
const HAS_SOURCES = typeof JSON.parse('12345678901234567890', keepExact) === 'bigint';

function countKeys(value: Json): number {
  if (isJsonList(value)) return value.reduce((sum: number, item) => sum + countKeys(item), 0);
  if (!isJsonObject(value)) return 0;
  const inner = Object.values(value);
  return inner.reduce((sum: number, item) => sum + countKeys(item), inner.length);
}

function digitsOf(number: string): string {
  return number.replace(/e.*$/i, '').replaceAll(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
}
