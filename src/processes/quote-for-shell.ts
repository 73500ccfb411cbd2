/** The word in quotes, in which a shell changes nothing. */
export function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** For a command that people read: in quotes only where it needs them. */
export function wordForShell(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : quoteForShell(word);
}
