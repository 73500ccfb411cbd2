import {
  BRACE_CLOSE,
  BRACE_OPEN,
  BRACKET_CLOSE,
  BRACKET_OPEN,
  COLON,
  endOfString,
  QUOTE,
} from '../../base/model/json-text.ts';
import { LIMITS } from './limits.ts';

/**
 * Whether JSON.parse reads this text as `readStrictJson` would: no key that could be there twice, no number it would
 * round, no nesting beyond the limit. One pass that looks only at what stands outside strings; `parsed` is what
 * JSON.parse made of the text. A "no" only means that the slower reader has to look.
 */
export function isCleanJson(text: string, parsed: unknown): boolean {
  let colons = 0;
  let depth = 0;
  let digits = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= DIGIT_0 && code <= DIGIT_9) {
      if (++digits > 15) return false;
      continue;
    }
    if (digits > 0 && (code | LOWER_CASE) === LETTER_E) return false;
    digits = 0;
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === COLON) colons++;
    else if (code === BRACE_OPEN || code === BRACKET_OPEN) {
      if (++depth > LIMITS.depth) return false;
    } else if (code === BRACE_CLOSE || code === BRACKET_CLOSE) depth--;
  }
  return countKeys(parsed) === colons;
}

const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const LETTER_E = 0x65;
const LOWER_CASE = 0x20;

/** Recursion is safe here: the depth was checked first. */
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countKeys(item);
    return count;
  }
  for (const key in value) {
    count += 1 + countKeys((value as Record<string, unknown>)[key]);
  }
  return count;
}
