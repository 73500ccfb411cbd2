/** The same string without a reference to its source: a slice keeps the whole original string in memory. */
export function ownText(text: string): string {
  return ` ${text}`.slice(1);
}
