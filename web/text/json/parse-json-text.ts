import { isJsonList, type Json, type JsonObject } from '../../../src/model/json.ts';
import { keepExact } from '../../source/parse-exact-json.ts';

/** A larger text is shown as it is. */
const MAX_LENGTH = 2_000_000;
/** Deeper values are shown as text: nobody opens so many levels, and a page would run out of stack. */
const MAX_DEPTH = 300;

/**
 * The object or list that a text consists of. Undefined if it is anything else, or if something would be lost: a key that occurs
 * twice, or a number that no browser can hold.
 */
export function parseJsonText(text: string): Json | undefined {
  const trimmed = text.trim();
  const isClosed =
    (trimmed.startsWith('{') && trimmed.endsWith('}')) || (trimmed.startsWith('[') && trimmed.endsWith(']'));
  if (!isClosed || trimmed.length > MAX_LENGTH) return undefined;
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
  for (const match of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|-?\d[\d.eE+-]*/g)) {
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

/** Infinite if it is nested too deep. */
function countKeys(value: Json, depth = 0): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > MAX_DEPTH) return Infinity;
  const inner = isJsonList(value) ? value : Object.values<Json>(value as JsonObject);
  let count = isJsonList(value) ? 0 : inner.length;
  for (const item of inner) count += countKeys(item, depth + 1);
  return count;
}

function digitsOf(number: string): string {
  return number.replace(/e.*$/i, '').replaceAll(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
}
