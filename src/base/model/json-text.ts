/** The characters that give JSON its shape. */
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const BRACKET_OPEN = 0x5b;
export const BRACKET_CLOSE = 0x5d;
export const BRACE_OPEN = 0x7b;
export const BRACE_CLOSE = 0x7d;

const BACKSLASH = 0x5c;

/** Where the string that begins at `start` has its closing quote; the end of the text when it has none. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

/** The first character at or behind `start` that is not white space. */
export function skipBlanks(text: string, start: number): number {
  let index = start;
  for (;;) {
    const code = text.charCodeAt(index);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return index;
    index++;
  }
}

/** Where the value that begins at `start` ends. Brackets are counted and not compared: who must know parses the value. */
export function skipValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return Math.min(endOfString(text, start) + 1, text.length);
  if (first !== BRACE_OPEN && first !== BRACKET_OPEN) return skipWord(text, start);
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === BRACE_OPEN || code === BRACKET_OPEN) depth++;
    else if ((code === BRACE_CLOSE || code === BRACKET_CLOSE) && --depth === 0) return index + 1;
  }
  return text.length;
}

/** A number, `true`, `false` or `null`. */
function skipWord(text: string, start: number): number {
  let index = start;
  for (; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code <= 0x20 || code === COMMA || code === BRACE_CLOSE || code === BRACKET_CLOSE) break;
  }
  return index;
}
