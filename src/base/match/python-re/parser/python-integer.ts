import { digit, space } from '../unicode/properties.ts';

/** Python's `int()` of a string in base ten, or undefined where it raises ValueError. */
export function pythonInteger(text: string): bigint | undefined {
  const plain = Array.from(text, toAscii).join('').trim();
  if (!/^[+-]?[0-9]+(?:_[0-9]+)*$/.test(plain)) return undefined;
  const digits = plain.replaceAll('_', '');
  if (digits.replace(/^[+-]/, '').length > LONGEST_INTEGER) return undefined;
  return BigInt(digits.replace('+', ''));
}

/** CPython refuses to convert more digits than this, as a guard against quadratic work. */
export const LONGEST_INTEGER = 4300;

function toAscii(character: string): string {
  const codePoint = character.codePointAt(0)!;
  // Python leaves ASCII alone, and then skips what C calls a space: not U+001C to U+001F, which are spaces elsewhere.
  if (codePoint < 127) return character;
  if (space.has(codePoint)) return ' ';
  return digit.has(codePoint) ? String(decimalValue(codePoint)) : '?';
}

/** Decimal digits come in runs of ten that begin with zero, some of them back to back. */
function decimalValue(codePoint: number): number {
  let first = codePoint;
  while (digit.has(first - 1)) first -= 1;
  return (codePoint - first) % 10;
}
