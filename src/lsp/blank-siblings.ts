/** Shorter texts are parsed as they are. */
const SHORT = 32 * 1024;

/**
 * A long YAML text in which only the item of the outermost list around an offset is left, and what is less indented than that
 * list. Everything else becomes blank, so offsets stay the same. To know what may be written at a place, its parents
 * and its own item are enough, and the parser is slow.
 */
export function blankSiblings(text: string, offset: number): string {
  if (text.length <= SHORT) return text;
  const lines = text.split('\n');
  const current = lineAt(lines, offset);
  const first = outermostItem(lines, current);
  if (first === undefined) return text;
  const indent = indentOf(lines[first]!);
  const after = lines.findIndex((line, index) => index > first && !isBlank(line) && isOutside(line, indent));
  const end = after === -1 ? lines.length : after;
  return lines
    .map((line, index) => {
      const isKept = (index >= first && index < end) || (indentOf(line) <= indent && !isItem(line));
      return isKept ? line : ' '.repeat(line.length);
    })
    .join('\n');
}

function lineAt(lines: readonly string[], offset: number): number {
  let start = 0;
  for (const [index, line] of lines.entries()) {
    start += line.length + 1;
    if (start > offset) return index;
  }
  return lines.length - 1;
}

/** The first line of the item of the outermost list that a line is in. */
function outermostItem(lines: readonly string[], current: number): number | undefined {
  const own = lines[current]!;
  let found = isItem(own) ? current : undefined;
  let indent = isBlank(own) ? Infinity : indentOf(own);
  for (let index = current - 1; index >= 0 && indent > 0; index--) {
    const line = lines[index]!;
    if (isBlank(line) || /^\s*#/.test(line) || indentOf(line) >= indent) continue;
    indent = indentOf(line);
    if (isItem(line)) found = index;
  }
  return found;
}

/** The next item of the same list, or what comes after the list. */
function isOutside(line: string, indent: number): boolean {
  return !/^\s*#/.test(line) && indentOf(line) <= indent;
}

function indentOf(line: string): number {
  return /^ */.exec(line)![0].length;
}

function isItem(line: string): boolean {
  return /^ *-(?:\s|$)/.test(line);
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}
