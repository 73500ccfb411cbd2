import { Flag, TYPE_FLAGS } from '../flags.ts';
import { PatternError } from '../pattern-error.ts';
import { alphabetic } from '../unicode/properties.ts';
import { pythonRepr } from './python-repr.ts';
import { tokenLength, type Tokenizer } from './tokenizer.ts';

export interface InlineFlags {
  /** `(?i)` applies to the whole pattern, `(?i:…)` to a group. */
  readonly scope: 'pattern' | 'group';
  readonly added: number;
  readonly removed: number;
}

/** Reads the flags of `(?flags)`, `(?flags:` or `(?flags-flags:`, of which the first character is taken already. */
export function parseFlags(source: Tokenizer, first: string): InlineFlags {
  const { added, terminator } = first === '-' ? { added: 0, terminator: '-' } : parseAdded(source, first);
  if (terminator === ')') return { scope: 'pattern', added, removed: 0 };
  if (added & Flag.template) throw source.error('bad inline flags: cannot turn on global flag', 1);
  const removed = terminator === '-' ? parseRemoved(source) : 0;
  if (removed & Flag.template) throw source.error('bad inline flags: cannot turn off global flag', 1);
  if (added & removed) throw source.error('bad inline flags: flag turned on and off', 1);
  return { scope: 'group', added, removed };
}

/** The bits of flags given apart from the pattern, by their letters. */
export function flagBits(letters: string): number {
  return Array.from(letters).reduce((bits, letter) => {
    const bit = FLAG_LETTERS.get(letter);
    if (bit === undefined) throw new PatternError(`unknown flag ${pythonRepr(letter)}`);
    if (bit === Flag.locale) throw new PatternError('cannot use LOCALE flag with a str pattern');
    return bits | bit;
  }, 0);
}

export function isFlag(character: string): boolean {
  return FLAG_LETTERS.has(character);
}

const FLAG_LETTERS: ReadonlyMap<string, number> = new Map([
  ['i', Flag.ignoreCase],
  ['L', Flag.locale],
  ['m', Flag.multiline],
  ['s', Flag.dotAll],
  ['x', Flag.verbose],
  ['a', Flag.ascii],
  ['t', Flag.template],
  ['u', Flag.unicode],
]);

function parseAdded(source: Tokenizer, first: string): { added: number; terminator: string } {
  let added = 0;
  let letter = first;
  for (;;) {
    const flag = FLAG_LETTERS.get(letter)!;
    if (flag === Flag.locale) {
      throw source.error("bad inline flags: cannot use 'L' flag with a str pattern");
    }
    added |= flag;
    if (flag & TYPE_FLAGS && (added & TYPE_FLAGS) !== flag) {
      throw source.error("bad inline flags: flags 'a', 'u' and 'L' are incompatible");
    }
    letter = takeLetter(source, 'missing -, : or )', ')-:');
    if (!isFlag(letter)) return { added, terminator: letter };
  }
}

function parseRemoved(source: Tokenizer): number {
  let removed = 0;
  let letter = takeLetter(source, 'missing flag', '');
  while (letter !== ':') {
    const flag = FLAG_LETTERS.get(letter)!;
    if (flag & TYPE_FLAGS) {
      throw source.error("bad inline flags: cannot turn off flags 'a', 'u' and 'L'");
    }
    removed |= flag;
    letter = takeLetter(source, 'missing :', ':');
  }
  return removed;
}

function takeLetter(source: Tokenizer, missing: string, terminators: string): string {
  const letter = source.take();
  if (letter === undefined) throw source.error(missing);
  if (isFlag(letter) || terminators.includes(letter)) return letter;
  const length = tokenLength(letter);
  const isLetter = length === 1 && alphabetic.has(letter.codePointAt(0)!);
  throw source.error(isLetter ? 'unknown flag' : missing, length);
}
