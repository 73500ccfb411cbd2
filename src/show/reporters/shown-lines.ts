/** Lines of a text that may be as long as a book. */
export interface ShownLines {
  readonly lines: readonly string[];
  /** There is more of it. */
  readonly isCut: boolean;
}

/** The first lines of a text, without splitting the rest. */
export function firstLines(text: string, count: number): ShownLines {
  const lines: string[] = [];
  let start = 0;
  while (lines.length < count) {
    const end = text.indexOf('\n', start);
    if (end === -1) return { lines: [...lines, text.slice(start)], isCut: false };
    lines.push(text.slice(start, end));
    start = end + 1;
  }
  return { lines, isCut: true };
}
