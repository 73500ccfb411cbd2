/** The beginning of a text. A mark shows that more follows, and no character is cut in half. */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
