import { characterPredicate } from '../python-re/program/character-predicate.ts';
import type { Automaton } from './automaton.ts';

/**
 * One character for each possible result of an automaton's predicates, readable ones first. It is built from the
 * characters in the patterns and their neighbours, and from some of every kind.
 */
export function alphabetOf({ states, codePoints }: Automaton): readonly number[] {
  const predicates = [
    ...states.flatMap((state) => (state.type === 'character' ? [state.fits] : [])),
    isWord,
    isAsciiWord,
    (codePoint: number) => codePoint === NEWLINE,
  ];
  const chosen = new Map<string, number>();
  for (const codePoint of [...USUAL, ...codePoints, ...UNUSUAL]) {
    if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
    const signature = predicates.map((fits) => (fits(codePoint) ? '1' : '0')).join('');
    if (!chosen.has(signature)) chosen.set(signature, codePoint);
  }
  return [...chosen.values()];
}

export const NEWLINE = 10;

export const isWord = characterPredicate(
  { type: 'set', negated: false, items: [{ type: 'category', category: 'word', negated: false }] },
  32,
);

export function isAsciiWord(codePoint: number): boolean {
  return codePoint < 128 && isWord(codePoint);
}

const USUAL: readonly number[] = codePointsOf(
  'abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,-:;!?\'"()/_@#%&*+=<>[]{}|~^$`\\',
);

/** Digits, letters and spaces beyond ASCII, letters of unusual case, signs, controls, and the ends of the planes. */
const UNUSUAL: readonly number[] = [
  ...codePointsOf('\n\t\r\v\f éßÉñøſıİKÅσςΣЖж٣४²Ⅷ中あ한אع\u0301\u00a0\u2028\u3000\u200b€°…–—“”’•😀𝟘𐐀'),
  0,
  0x1c,
  0x7f,
  0x85,
  0xffff,
  0x10000,
  0x10ffff,
];

function codePointsOf(text: string): readonly number[] {
  return [...text].map((character) => character.codePointAt(0)!);
}
