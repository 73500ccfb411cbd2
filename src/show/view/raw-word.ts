/**
 * A word as it must occur in a journal line, before anything is parsed. A line without it cannot contain the word;
 * one with it may. This holds for lines that our writer wrote: it escapes only quotes, backslashes, control characters
 * and halves of surrogates, and writes numbers as the search reads them.
 */
export interface RawWord {
  /** The longest piece; absent if every line may contain the word. For lines as Latin-1. */
  readonly pattern?: RegExp | undefined;
  /** The other pieces. */
  readonly others: readonly RegExp[];
  /** Other characters that become one of its letters. In Latin-1, as their bytes. */
  readonly exceptions: readonly string[];
}

/**
 * Pieces of printable ASCII. White space, quotes and backslashes may be written in other ways, and two signs have a
 * twin that Unicode says is the same: `;` and the backtick.
 */
const PIECE = /[!#-:<-[\]-_a-~]+/g;

/** The Kelvin sign becomes a k, and a capital I with a dot becomes an i and a dot. */
const EXCEPTIONS = [
  ['k', '\u212A'],
  ['i', '\u0130'],
] as const;

/** `word`: folded. */
export function rawWord(word: string): RawWord {
  const pieces = (word.match(PIECE) ?? []).toSorted((a, b) => b.length - a.length);
  const [pattern, ...others] = pieces.map((piece) => new RegExp(escapePattern(piece), 'gi'));
  const letters = pieces.join('');
  const exceptions = EXCEPTIONS.filter(([letter]) => letters.includes(letter));
  return {
    pattern,
    others,
    exceptions: exceptions.map(([, sign]) => Buffer.from(sign).toString('latin1')),
  };
}

function escapePattern(text: string): string {
  return text.replaceAll(/[$()*+./?[\\\]^{|}-]/g, String.raw`\$&`);
}

/** The lines of a text, by their number, that may contain the word. `starts`: where each one begins. */
export function mayContain(word: RawWord, text: string, starts: readonly number[]): ReadonlySet<number> {
  const lines = new Set<number>();
  if (word.pattern === undefined) return new Set(starts.keys());
  for (const line of linesWith(word.pattern, text, starts))
    if (word.others.every((piece) => isIn(piece, text.slice(starts[line], starts[line + 1]))))
      lines.add(line);
  for (const sign of word.exceptions)
    if (text.includes(sign))
      for (const line of linesWith(new RegExp(sign, 'g'), text, starts)) lines.add(line);
  return lines;
}

function isIn(piece: RegExp, text: string): boolean {
  piece.lastIndex = 0;
  return piece.test(text);
}

function* linesWith(pattern: RegExp, text: string, starts: readonly number[]): Generator<number> {
  pattern.lastIndex = 0;
  let line = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    while (line + 1 < starts.length && starts[line + 1]! <= match.index) line++;
    yield line++;
    if (line >= starts.length) return;
    pattern.lastIndex = starts[line]!;
  }
}
