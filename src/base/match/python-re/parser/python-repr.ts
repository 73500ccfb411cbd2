import { printable } from '../unicode/properties.ts';

/** Python's `repr()` of a string. */
export function pythonRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  return quote + Array.from(text, (character) => escapeCharacter(character, quote)).join('') + quote;
}

const NAMED_ESCAPES: Readonly<Record<string, string>> = {
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\\': '\\\\',
};

function escapeCharacter(character: string, quote: string): string {
  if (character === quote) return `\\${quote}`;
  const named = NAMED_ESCAPES[character];
  if (named !== undefined) return named;
  const codePoint = character.codePointAt(0)!;
  if (printable.has(codePoint)) return character;
  const digits = codePoint.toString(16);
  if (codePoint <= 0xff) return `\\x${digits.padStart(2, '0')}`;
  if (codePoint <= 0xffff) return `\\u${digits.padStart(4, '0')}`;
  return `\\U${digits.padStart(8, '0')}`;
}
