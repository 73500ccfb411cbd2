import { Flag } from '../flags.ts';
import type { CharacterNode, SetItem } from '../syntax-tree.ts';
import { characterPredicate, type CharacterPredicate } from './character-predicate.ts';

/** The characters up to this one are looked up in a table, all others are computed. */
export const TABLE_SIZE = 256;

/** A set of characters, ready to be asked often. */
export interface CharacterClass {
  /** One byte each for the first 256 code points. */
  readonly table: Uint8Array;
  /** Membership of the code points past the table. */
  readonly hasWide: CharacterPredicate;
  /** False if nothing past the table can be a member. */
  readonly mayBeWide: boolean;
}

export function characterClass(node: CharacterNode, flags: number): CharacterClass {
  const predicate = characterPredicate(node, flags);
  const table = new Uint8Array(TABLE_SIZE);
  for (let codePoint = 0; codePoint < TABLE_SIZE; codePoint += 1) {
    if (predicate(codePoint)) table[codePoint] = 1;
  }
  const mayBeWide = !isNarrow(node, flags);
  return { table, hasWide: mayBeWide ? rememberPages(predicate) : () => false, mayBeWide };
}

function isNarrow(node: CharacterNode, flags: number): boolean {
  if (node.type === 'any' || node.negated || flags & Flag.ignoreCase) return false;
  if (node.type === 'literal') return node.codePoint < TABLE_SIZE;
  return node.items.every((item) => isNarrowItem(item, flags));
}

function isNarrowItem(item: SetItem, flags: number): boolean {
  switch (item.type) {
    case 'character':
      return item.codePoint < TABLE_SIZE;
    case 'range':
      return item.high < TABLE_SIZE;
    case 'category':
      return !item.negated && (flags & Flag.unicode) === 0;
  }
}

const PAGE_BITS = 8;
const PAGE_MASK = (1 << PAGE_BITS) - 1;
const PAGE_COUNT = 0x110000 >> PAGE_BITS;

/** Text keeps to a few scripts, so each page of 256 characters is computed once, when first met. */
function rememberPages(predicate: CharacterPredicate): CharacterPredicate {
  const pages: (Uint8Array | undefined)[] = [];
  return (codePoint) => {
    const number = codePoint >> PAGE_BITS;
    if (number >= PAGE_COUNT) return false;
    const page = (pages[number] ??= computePage(predicate, number << PAGE_BITS));
    return page[codePoint & PAGE_MASK] === 1;
  };
}

function computePage(predicate: CharacterPredicate, start: number): Uint8Array {
  return Uint8Array.from({ length: 1 << PAGE_BITS }, (_, offset) => (predicate(start + offset) ? 1 : 0));
}
