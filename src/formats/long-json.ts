import { LIMITS } from './limits.ts';

/** Of shorter texts a tree is made, which is the faster way to find many places. */
export const LONG_TEXT = 1_000_000;

/** Whether a text of JSON is so long that no tree should be made of it, and has no more values than it may have. */
export function isLongJson(text: string): boolean {
  return text.length > LONG_TEXT && mostValues(text) <= LIMITS.nodes;
}

/** Not fewer than there are: every value but the first has a comma or a bracket before it. */
function mostValues(text: string): number {
  let count = 1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === COMMA || code === BRACKET_OPEN || code === BRACE_OPEN) count++;
  }
  return count;
}

const COMMA = 0x2c;
const BRACKET_OPEN = 0x5b;
const BRACE_OPEN = 0x7b;
