import {
  alphabeticRanges,
  digitRanges,
  identifierPartRanges,
  identifierStartRanges,
  printableRanges,
  spaceRanges,
  wordRanges,
} from './property-ranges.generated.ts';
import { lazyRangeTable } from './range-table.ts';

/** Python's `str.isalnum()` or an underscore, of one character. */
export const word = lazyRangeTable(wordRanges);
/** Python's `str.isdecimal()`. */
export const digit = lazyRangeTable(digitRanges);
/** Python's `str.isspace()`. */
export const space = lazyRangeTable(spaceRanges);
/** Python's `str.isalpha()`. */
export const alphabetic = lazyRangeTable(alphabeticRanges);
/** Python's `str.isprintable()`. */
export const printable = lazyRangeTable(printableRanges);

const identifierStart = lazyRangeTable(identifierStartRanges);
const identifierPart = lazyRangeTable(identifierPartRanges);

/** Python's `str.isidentifier()`. */
export function isIdentifier(text: string): boolean {
  const codePoints = Array.from(text, (character) => character.codePointAt(0)!);
  return (
    codePoints.length > 0 &&
    identifierStart.has(codePoints[0]!) &&
    codePoints.every((codePoint) => identifierPart.has(codePoint))
  );
}
