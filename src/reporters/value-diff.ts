import type { Json } from '../model/json.ts';
import { printJson } from '../model/print-json.ts';
import type { Colors } from './colors.ts';
import { countLines, firstLines, type ShownLines } from './shown-lines.ts';
import { escapeShortLine } from './terminal-text.ts';

const MAX_LINES = 60;
/** A value that is longer is shown on several lines. */
const LONGEST_LINE = 100;
/** The most lines of either value that are compared: comparing takes more than linear time. */
const MAX_COMPARED = 500;
/** More equal lines at the beginning than this are left out, except for the last few. */
const EQUAL_LINES_SHOWN = 20;
const LINES_BEFORE = 3;
/** The same for one long line. */
const EQUAL_CHARACTERS_SHOWN = 200;
const CHARACTERS_BEFORE = 60;

/** Expected against actual: on two lines if each is one line, otherwise as a diff of lines. */
export async function valueDiff(expected: Json, actual: Json, colors: Colors): Promise<ShownLines> {
  // Two values in the same style: otherwise every line of them is different.
  const indent = [expected, actual].some((value) => printJson(value).length > LONGEST_LINE) ? '  ' : '';
  const left = textOf(expected, indent);
  const right = textOf(actual, indent);
  const equal = equalLength(left, right);
  if (!left.includes('\n') && !right.includes('\n')) {
    const [one, other] = [lineFrom(left, equal), lineFrom(right, equal)];
    const lines = [`${colors.green('- expected')}  ${one}`, `${colors.red('+ actual')}    ${other}`];
    return { lines, isCut: false };
  }
  const start = startOfDiff(left, equal);
  const from = firstLines(left.slice(start), MAX_COMPARED);
  const to = firstLines(right.slice(start), MAX_COMPARED);
  const lines = [
    ...(start === 0 ? [] : [colors.dim(`  ... ${countLines(left.slice(0, start)) - 1} equal lines`)]),
    ...(await diffLines(from.lines, to.lines, colors)),
  ];
  const shown = [`${colors.green('- expected')}  ${colors.red('+ actual')}`, ...lines.slice(0, MAX_LINES)];
  if (from.isCut || to.isCut) {
    const sizes = `${countLines(left)} lines expected, ${countLines(right)} received`;
    return { lines: [...shown, colors.dim(`  ... more lines: ${sizes}`)], isCut: true };
  }
  if (lines.length <= MAX_LINES) return { lines: shown, isCut: false };
  return { lines: [...shown, colors.dim(`  ... ${lines.length - MAX_LINES} more lines`)], isCut: true };
}

async function diffLines(
  left: readonly string[],
  right: readonly string[],
  colors: Colors,
): Promise<readonly string[]> {
  const { diffArrays } = await import('diff');
  const parts = diffArrays([...left], [...right], { timeout: 100 }) ?? [
    { removed: true, added: false, value: left },
    { removed: false, added: true, value: right },
  ];
  return parts.flatMap(({ added, removed, value }) =>
    value.map((line) => {
      const text = escapeShortLine(line);
      if (added) return colors.red(`+ ${text}`);
      return removed ? colors.green(`- ${text}`) : `  ${text}`;
    }),
  );
}

function textOf(value: Json, indent: string): string {
  if (typeof value === 'string' && value.includes('\n')) return value;
  return printJson(value, indent);
}

/** How many characters at the beginning are the same. */
function equalLength(left: string, right: string): number {
  const most = Math.min(left.length, right.length);
  let length = 0;
  while (length < most && left.charCodeAt(length) === right.charCodeAt(length)) length++;
  return length;
}

/** A difference far behind the beginning of a line would not be visible. */
function lineFrom(line: string, equal: number): string {
  if (equal <= EQUAL_CHARACTERS_SHOWN) return escapeShortLine(line);
  return `…${escapeShortLine(line.slice(equal - CHARACTERS_BEFORE).replace(/^[\udc00-\udfff]/, ''))}`;
}

/** The start of a line a few lines before the first difference; 0 if that is near the beginning. */
function startOfDiff(text: string, equal: number): number {
  if (countLines(text.slice(0, equal)) - 1 <= EQUAL_LINES_SHOWN) return 0;
  let start = equal;
  for (let line = 0; line <= LINES_BEFORE; line++) start = text.lastIndexOf('\n', start - 1);
  return start + 1;
}
