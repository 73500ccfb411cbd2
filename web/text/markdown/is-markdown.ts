/**
 * Signs that a text was written as Markdown. Each is one that plain text hardly has; a single `*`, `_`, `#1` or a line that
 * starts with a dash is none.
 */
const SIGNS: readonly RegExp[] = [
  /^ {0,3}(?:```|~~~)/m,
  /^ {0,3}#{1,6} +\S.*\n/m,
  /^ {0,3}#{1,6} +\S.*$/,
  /^[^|\n]*\|.*\n[ |]*:?-{3,}:? *(?:\||$)/m,
  /(?:^|[^\w*])\*\*[^\s*][^*\n]{0,300}\*\*(?=[^\w*]|$)/m,
  /(?:^|[^`])`[^`\n]{1,300}`(?!`)/m,
  /\[[^[\]\n]{1,300}\]\((?:https?:\/\/|mailto:)[^)\s]+\)/,
  /^ {0,3}[-*+] +\S.*\n(?:.*\n)? {0,3}[-*+] +\S/m,
  /^ {0,3}\d{1,3}[.)] +\S.*\n(?:.*\n){0,3} {0,3}\d{1,3}[.)] +\S/m,
  /^> +\S.*$/m,
];

/** Looked at from the start: a long text shows its form early. */
const LOOKED_AT = 20_000;

/** Whether a text is Markdown. What is not keeps each space and each line. */
export function isMarkdown(text: string): boolean {
  const start = text.slice(0, LOOKED_AT);
  return SIGNS.some((sign) => sign.test(start));
}
