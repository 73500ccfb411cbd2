import { escapeLine } from '../reporters/terminal-text.ts';

/** A word as a shell reads it, and as a terminal may show it. */
export function quoteForShell(word: string): string {
  if (/^[\w./:@%+=,-]+$/.test(word)) return word;
  if (escapeLine(word) === word) return `'${word.replaceAll("'", String.raw`'\''`)}'`;
  return `$'${[...Buffer.from(word)].map(quoteByte).join('')}'`;
}

function quoteByte(byte: number): string {
  const character = String.fromCharCode(byte);
  if (/[\\']/.test(character)) return `\\${character}`;
  return /[ -"$-~]/.test(character) ? character : `\\x${byte.toString(16).padStart(2, '0')}`;
}
