import { brotliDecompressSync } from 'node:zlib';
import { packedCharacterNames } from './character-names.generated.ts';

/** The code point that Python's `unicodedata.lookup` finds, or undefined; named sequences are not found. */
export function codePointOfName(name: string): number | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  if (name.startsWith(HANGUL_PREFIX)) return hangulSyllable(name.slice(HANGUL_PREFIX.length));
  if (name.startsWith(IDEOGRAPH_PREFIX)) return unifiedIdeograph(name.slice(IDEOGRAPH_PREFIX.length));
  if (!ASCII.test(name)) return undefined;
  names ??= decodeNames();
  return names.get(name.toUpperCase());
}

const LONGEST_NAME = 256;
const HANGUL_PREFIX = 'HANGUL SYLLABLE ';
const IDEOGRAPH_PREFIX = 'CJK UNIFIED IDEOGRAPH-';
const ASCII = /^[\x20-\x7e]+$/;

let names: Map<string, number> | undefined;

const LEADING = 'G GG N D DD R M B BB S SS  J JJ C K T P H'.split(' ');
const VOWELS = 'A AE YA YAE EO E YEO YE O WA WAE OE YO U WEO WE WI YU EU YI I'.split(' ');
const TRAILING = ' G GG GS N NJ NH D L LG LM LB LS LT LP LH M B BS S SS NG J C K T P H'.split(' ');

function hangulSyllable(romanised: string): number | undefined {
  const match = /^([BCDGHJKMNPRST]*)([AEIOUWY]+)([BCDGHJKLMNPST]*)$/.exec(romanised);
  if (match === null) return undefined;
  const leading = LEADING.indexOf(match[1]!);
  const vowel = VOWELS.indexOf(match[2]!);
  const trailing = TRAILING.indexOf(match[3]!);
  if (leading < 0 || vowel < 0 || trailing < 0) return undefined;
  return 0xac00 + (leading * VOWELS.length + vowel) * TRAILING.length + trailing;
}

const IDEOGRAPH_RANGES: readonly (readonly [number, number])[] = [
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0x20000, 0x2a6df],
  [0x2a700, 0x2b738],
  [0x2b740, 0x2b81d],
  [0x2b820, 0x2cea1],
  [0x2ceb0, 0x2ebe0],
  [0x30000, 0x3134a],
];

function unifiedIdeograph(digits: string): number | undefined {
  if (!/^[0-9A-F]{4,5}$/.test(digits)) return undefined;
  const codePoint = Number.parseInt(digits, 16);
  return IDEOGRAPH_RANGES.some(([first, last]) => first <= codePoint && codePoint <= last)
    ? codePoint
    : undefined;
}

function decodeNames(): Map<string, number> {
  const text = brotliDecompressSync(Buffer.from(packedCharacterNames, 'base64')).toString('latin1');
  const decoded = new Map<string, number>();
  let codePoint = 0;
  for (const line of text.split('\n')) {
    const separator = line.indexOf(';');
    codePoint += separator === 0 ? 1 : Number.parseInt(line.slice(0, separator), 36);
    decoded.set(line.slice(separator + 1), codePoint);
  }
  return decoded;
}
