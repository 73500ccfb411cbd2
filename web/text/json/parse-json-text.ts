import type { Json } from '../../../src/base/model/json.ts';
import { endOfString, QUOTE } from '../../../src/base/model/json-text.ts';
import { parseJson } from '../../../src/base/model/parse-json.ts';
import { refuseDuplicateKeys } from '../../../src/base/model/parse-strict-json.ts';

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
    const value = parseJson(trimmed, { maxDepth: MAX_DEPTH });
    refuseDuplicateKeys(trimmed);
    return hasExactNumbers(trimmed) ? value : undefined;
  } catch {
    return undefined;
  }
}

function hasExactNumbers(text: string): boolean {
  // By hand, because a pattern makes an object for each of a hundred thousand places.
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (isDigit(code)) {
      const start = at;
      while (isNumberPart(text.charCodeAt(at + 1))) at++;
      if (!isExactNumber(text.slice(start, at + 1))) return false;
    }
  }
  return true;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** `.`, `e`, `E`, `+` or `-`. */
function isNumberPart(code: number): boolean {
  return isDigit(code) || code === 0x2e || code === 0x65 || code === 0x45 || code === 0x2b || code === 0x2d;
}

/** So many digits are always exact. */
const EXACT_LENGTH = 15;

/** `source`: without its sign. */
function isExactNumber(source: string): boolean {
  // Integers of any size are exact.
  if (/^\d+$/.test(source) || (source.length <= EXACT_LENGTH && !/e/i.test(source))) return true;
  const number = Number(source);
  return Number.isFinite(number) && digitsOf(source) === digitsOf(String(number));
}

function digitsOf(number: string): string {
  return number.replace(/e.*$/i, '').replaceAll(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
}
