import { Flag } from '../flags.ts';
import type { CharacterNode, Category, SetItem } from '../syntax-tree.ts';
import { asciiCase, type LetterCase, unicodeCase, upperUnicode } from '../unicode/letter-case.ts';
import { digit, space, word } from '../unicode/properties.ts';

export type CharacterPredicate = (codePoint: number) => boolean;

/** Whether a character fits a node, given the flags in force there. */
export function characterPredicate(node: CharacterNode, flags: number): CharacterPredicate {
  switch (node.type) {
    case 'any':
      return flags & Flag.dotAll ? () => true : (codePoint) => codePoint !== NEWLINE;
    case 'literal':
      return negateIf(node.negated, literalPredicate(node.codePoint, letterCaseOf(flags)));
    case 'set':
      return negateIf(node.negated, setPredicate(node.items, flags));
  }
}

/** How case is ignored under these flags, or undefined if it matters. */
export function letterCaseOf(flags: number): LetterCase | undefined {
  if ((flags & Flag.ignoreCase) === 0) return undefined;
  return flags & Flag.unicode ? unicodeCase : asciiCase;
}

function categoryPredicate(category: Category, flags: number): CharacterPredicate {
  if (flags & Flag.unicode) return UNICODE_CATEGORIES[category];
  const unicode = UNICODE_CATEGORIES[category];
  // Python's ASCII spaces leave out the four separators that its Unicode spaces include.
  if (category === 'space') return (codePoint) => codePoint === 32 || (codePoint >= 9 && codePoint <= 13);
  return (codePoint) => codePoint < 128 && unicode(codePoint);
}

const NEWLINE = 10;
const LAST_BMP = 0xffff;

const UNICODE_CATEGORIES: Readonly<Record<Category, CharacterPredicate>> = {
  digit: (codePoint) => digit.has(codePoint),
  space: (codePoint) => space.has(codePoint),
  word: (codePoint) => word.has(codePoint),
};

function negateIf(negated: boolean, predicate: CharacterPredicate): CharacterPredicate {
  return negated ? (codePoint) => !predicate(codePoint) : predicate;
}

function literalPredicate(literal: number, letterCase: LetterCase | undefined): CharacterPredicate {
  if (letterCase === undefined || !letterCase.isCased(literal)) return (codePoint) => codePoint === literal;
  const lower = letterCase.lower(literal);
  const accepted = new Set([lower, ...letterCase.extra(lower)]);
  return (codePoint) => accepted.has(letterCase.lower(codePoint));
}

function setPredicate(items: readonly SetItem[], flags: number): CharacterPredicate {
  const letterCase = letterCaseOf(flags);
  const members = items.map((item) => itemPredicate(item, flags, letterCase));
  const isMember: CharacterPredicate = (codePoint) => members.some((fits) => fits(codePoint));
  // Only a set with a cased character in it looks at the lower case, even for its categories.
  if (letterCase === undefined || !items.some((item) => isCasedItem(item, letterCase))) return isMember;
  return (codePoint) => isMember(letterCase.lower(codePoint));
}

function itemPredicate(item: SetItem, flags: number, letterCase: LetterCase | undefined): CharacterPredicate {
  switch (item.type) {
    case 'category':
      return negateIf(item.negated, categoryPredicate(item.category, flags));
    case 'character':
      return letterCase === undefined
        ? (codePoint) => codePoint === item.codePoint
        : foldedCharacter(item.codePoint, letterCase);
    case 'range':
      return letterCase === undefined
        ? (codePoint) => item.low <= codePoint && codePoint <= item.high
        : foldedRange(item.low, item.high, letterCase);
  }
}

/** Python never lower-cases a character beyond the BMP in a set, so an upper-case one there fits nothing. */
function foldedCharacter(character: number, letterCase: LetterCase): CharacterPredicate {
  const lower = letterCase.lower(character);
  if (lower > LAST_BMP) return (codePoint) => codePoint === character;
  const accepted = new Set([lower, ...letterCase.extra(lower)]);
  return (codePoint) => accepted.has(codePoint);
}

/** Takes characters in lower case. Beyond the BMP, Python compares the upper case with the range instead. */
function foldedRange(low: number, high: number, letterCase: LetterCase): CharacterPredicate {
  const lastFolded = Math.min(high, LAST_BMP);
  const isFolded: CharacterPredicate = (source) => low <= source && source <= lastFolded;
  const isInside: CharacterPredicate = (codePoint) => low <= codePoint && codePoint <= high;
  return (codePoint) => {
    const cousins = [codePoint, ...letterCase.extra(codePoint)];
    if (cousins.some((cousin) => letterCase.lowerSources(cousin).some(isFolded))) return true;
    return high > LAST_BMP && (isInside(codePoint) || isInside(upperUnicode(codePoint)));
  };
}

/** Whether case makes a difference to an item; Python takes that for granted beyond the BMP. */
export function isCasedItem(item: SetItem, letterCase: LetterCase): boolean {
  switch (item.type) {
    case 'category':
      return false;
    case 'character':
      return item.codePoint > LAST_BMP || letterCase.isCased(item.codePoint);
    case 'range':
      return item.high > LAST_BMP || hasCased(item.low, item.high, letterCase);
  }
}

function hasCased(low: number, high: number, letterCase: LetterCase): boolean {
  for (let codePoint = low; codePoint <= high; codePoint += 1) {
    if (letterCase.isCased(codePoint)) return true;
  }
  return false;
}
