/**
 * A text with its case folded away. Down and up again, because neither way alone is enough: the final ς and σ meet only
 * in upper case, the Kelvin sign and k only in lower case.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase();
}
