const MAX_LENGTH = 300;

/** The first line of a text, and not too much of it: what titles and tables have room for. */
export function firstLine(text: string): string {
  const [line = ''] = text.trimStart().split(/\r\n|\n|\r/, 1);
  if (line.length <= MAX_LENGTH) return line.trimEnd();
  return `${line.slice(0, MAX_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
