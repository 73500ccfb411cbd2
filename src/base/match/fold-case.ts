/**
 * A text with its case folded. First to lower case and then to upper case, because neither alone is enough: the
 * final ς and σ meet only in upper case, the Kelvin sign and k only in lower case.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase();
}
