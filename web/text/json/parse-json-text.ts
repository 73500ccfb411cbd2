import { isJsonList, type Json, type JsonObject } from '../../../src/base/model/json.ts';
import { keepExact, parseExactJson } from '../../source/parse-exact-json.ts';

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
    const value = parseExactJson(trimmed) as Json;
    return isWhole(trimmed, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Every key and every number of the text is in the value. */
function isWhole(text: string, value: Json): boolean {
  let keys = 0;
  // By hand, because a pattern makes an object for each of a hundred thousand places.
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at);
    // Outside of a string, each colon has a key before it.
    else if (code === COLON) keys++;
    else if (isDigit(code)) {
      const start = text.charCodeAt(at - 1) === MINUS ? at - 1 : at;
      while (isNumberPart(text.charCodeAt(at + 1))) at++;
      if (!isExactNumber(text.slice(start, at + 1))) return false;
    }
  }
  return keys === countKeys(value);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const MINUS = 0x2d;

/** The place of the closing quote of a valid string. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(at))
    at += code === BACKSLASH ? 2 : 1;
  return at;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** `.`, `e`, `E`, `+` or `-`. */
function isNumberPart(code: number): boolean {
  return isDigit(code) || code === 0x2e || code === 0x65 || code === 0x45 || code === 0x2b || code === MINUS;
}

/** So many digits are always exact. */
const EXACT_LENGTH = 15;

function isExactNumber(source: string): boolean {
  if (source.length <= EXACT_LENGTH && !/e/i.test(source)) return true;
  const number = Number(source);
  if (String(number) === source) return true;
  if (/^-?\d+$/.test(source) && !Number.isSafeInteger(number)) return HAS_SOURCES;
  return Number.isFinite(number) && digitsOf(source) === digitsOf(String(number));
}

/** Whether this browser tells how a number was written. */
const HAS_SOURCES = typeof JSON.parse('12345678901234567890', keepExact) === 'bigint';

/** Infinite if it is nested too deep. */
function countKeys(value: Json, depth = 0): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > MAX_DEPTH) return Infinity;
  let count = 0;
  if (isJsonList(value)) for (const item of value) count += countKeys(item, depth + 1);
  else for (const key of Object.keys(value)) count += 1 + countKeys((value as JsonObject)[key]!, depth + 1);
  return count;
}

function digitsOf(number: string): string {
  return number.replace(/e.*$/i, '').replaceAll(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
}
