/** A word of a command that people read and may run: quoted for a shell, and safe for a terminal. */
export function shellWord(word: string): string {
  if (/^[\w./:@%+=,-]+$/.test(word) && !word.includes('::')) return word;
  if (!UNSAFE.test(word)) return `'${word.replaceAll("'", String.raw`'\''`)}'`;
  return `$'${[...new TextEncoder().encode(word)].map(quoteByte).join('')}'`;
}

/** An option with its value, which may begin like another option. */
export function shellOption(name: string, value: string): string {
  return `--${name}${value.startsWith('-') ? '=' : ' '}${shellWord(value)}`;
}

/** A file, and a line of it, as an argument: one that begins with a dash is not an option. */
export function shellPath(path: string): string {
  return shellWord(path.startsWith('-') ? `./${path}` : path);
}

/**
 * Control and format characters, which can change what a terminal shows, except for the joiners of emoji and some
 * scripts; piles of marks; and what CI systems read as a command.
 */
const UNSAFE = /(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}\u{e0100}-\u{e01ef}]|\p{M}{9}|::|##/u;

function quoteByte(byte: number): string {
  const character = String.fromCharCode(byte);
  if (/[\\']/.test(character)) return `\\${character}`;
  return /[ -"$-9;-~]/.test(character) ? character : `\\x${byte.toString(16).padStart(2, '0')}`;
}
