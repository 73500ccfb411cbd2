import type { Category, Node, SetItem } from '../syntax-tree.ts';
import { codePointOfName } from '../unicode/character-name.ts';
import type { GroupRegistry } from './group-registry.ts';
import { pythonRepr } from './python-repr.ts';
import { tokenLength, type Tokenizer } from './tokenizer.ts';

/** Reads an escape outside a character class; its backslash and first character are taken already. */
export function parseEscape(source: Tokenizer, escape: string, groups: GroupRegistry): Node {
  const letter = escape.slice(1);
  const anchor = ANCHORS.get(letter);
  if (anchor !== undefined) return anchor;
  const category = CATEGORIES.get(letter);
  if (category !== undefined) return { type: 'set', negated: false, items: [category] };
  if (letter === '0') return literal(Number.parseInt(letter + source.takeWhile(2, OCTAL_DIGIT), 8));
  if (DECIMAL_DIGIT.test(letter)) return parseNumberedEscape(source, escape, groups);
  return literal(CONTROLS.get(letter) ?? parseCharacterEscape(source, escape));
}

/** Reads an escape inside a character class. */
export function parseClassEscape(source: Tokenizer, escape: string): SetItem {
  const letter = escape.slice(1);
  const category = CATEGORIES.get(letter);
  if (category !== undefined) return category;
  if (letter === 'b') return { type: 'character', codePoint: BACKSPACE };
  if (OCTAL_DIGIT.test(letter)) {
    const octal = escape + source.takeWhile(2, OCTAL_DIGIT);
    return { type: 'character', codePoint: octalValue(source, octal) };
  }
  return { type: 'character', codePoint: CONTROLS.get(letter) ?? parseCharacterEscape(source, escape) };
}

const BACKSPACE = 8;

const CONTROLS: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['v', 11],
]);

const ANCHORS: ReadonlyMap<string, Node> = new Map<string, Node>([
  ['A', { type: 'anchor', kind: 'string-start' }],
  ['Z', { type: 'anchor', kind: 'string-end' }],
  ['b', { type: 'anchor', kind: 'word-boundary' }],
  ['B', { type: 'anchor', kind: 'not-word-boundary' }],
]);

const CATEGORIES: ReadonlyMap<string, SetItem> = new Map(
  (['digit', 'space', 'word'] as const).flatMap((category) => [
    [category.charAt(0), categoryItem(category, false)],
    [category.charAt(0).toUpperCase(), categoryItem(category, true)],
  ]),
);

const OCTAL_DIGIT = /^[0-7]$/;
const DECIMAL_DIGIT = /^[0-9]$/;
const HEX_DIGIT = /^[0-9a-fA-F]$/;
const ASCII_LETTER_OR_DIGIT = /^[a-zA-Z0-9]$/;
const HEX_LENGTHS: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);
const LAST_CODE_POINT = 0x10ffff;
const LAST_OCTAL = 0o377;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** A backslash and digits: three octal digits are a character, anything else names a group. */
function parseNumberedEscape(source: Tokenizer, escape: string, groups: GroupRegistry): Node {
  let text = escape + source.takeWhile(1, DECIMAL_DIGIT);
  if (/^\\[0-7]{2}$/.test(text)) {
    const third = source.takeWhile(1, OCTAL_DIGIT);
    if (third !== '') return literal(octalValue(source, text + third));
  }
  const group = Number(text.slice(1));
  if (group >= groups.count) throw source.error(`invalid group reference ${group}`, text.length - 1);
  if (!groups.isClosed(group)) throw source.error('cannot refer to an open group', text.length);
  groups.checkLookbehindReference(group, source);
  return { type: 'backreference', group };
}

/** The escapes that mean the same inside and outside a class. */
function parseCharacterEscape(source: Tokenizer, escape: string): number {
  const letter = escape.slice(1);
  const hexLength = HEX_LENGTHS.get(letter);
  if (hexLength !== undefined) return parseHexEscape(source, escape, hexLength);
  if (letter === 'N') return parseNamedEscape(source);
  if (ASCII_LETTER_OR_DIGIT.test(letter)) throw badEscape(source, escape);
  return letter.codePointAt(0)!;
}

function parseHexEscape(source: Tokenizer, escape: string, length: number): number {
  const digits = source.takeWhile(length, HEX_DIGIT);
  const text = escape + digits;
  if (digits.length !== length) throw source.error(`incomplete escape ${text}`, text.length);
  const codePoint = Number.parseInt(digits, 16);
  if (codePoint > LAST_CODE_POINT) throw badEscape(source, text);
  return codePoint;
}

function parseNamedEscape(source: Tokenizer): number {
  if (!source.accept('{')) throw source.error('missing {');
  const name = source.takeUntil('}', 'character name');
  // Python fails to encode such a name before it can look it up, and then blames the escape.
  if (LONE_SURROGATE.test(name)) throw badEscape(source, '\\N');
  const codePoint = codePointOfName(name);
  if (codePoint === undefined) {
    const back = tokenLength(name) + String.raw`\N{}`.length;
    throw source.error(`undefined character name ${pythonRepr(name)}`, back);
  }
  return codePoint;
}

function octalValue(source: Tokenizer, escape: string): number {
  const value = Number.parseInt(escape.slice(1), 8);
  if (value > LAST_OCTAL) {
    throw source.error(`octal escape value ${escape} outside of range 0-0o377`, escape.length);
  }
  return value;
}

function badEscape(source: Tokenizer, escape: string): Error {
  return source.error(`bad escape ${escape}`, tokenLength(escape));
}

function literal(codePoint: number): Node {
  return { type: 'literal', codePoint, negated: false };
}

function categoryItem(category: Category, negated: boolean): SetItem {
  return { type: 'category', category, negated };
}
