/** The word in quotes, so that a shell does not change it. */
export function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
