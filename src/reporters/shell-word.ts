import { quoteForShell } from '../processes/quote-for-shell.ts';
import { escapeLine } from './terminal-text.ts';

/** A word of a command that people read and may run: quoted for a shell, and safe for a terminal. */
export function shellWord(word: string): string {
  if (/^[\w./:@%+=,-]+$/.test(word)) return word;
  if (escapeLine(word) === word) return quoteForShell(word);
  return `$'${[...Buffer.from(word)].map(quoteByte).join('')}'`;
}

function quoteByte(byte: number): string {
  const character = String.fromCharCode(byte);
  if (/[\\']/.test(character)) return `\\${character}`;
  return /[ -"$-~]/.test(character) ? character : `\\x${byte.toString(16).padStart(2, '0')}`;
}
