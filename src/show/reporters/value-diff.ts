import type { Json } from '../../base/model/json.ts';
import { expectedWords } from '../../base/model/expected-words.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { Colors } from './colors.ts';
import { countLines } from '../../base/model/compares-output.ts';
import { firstLines, type ShownLines } from './shown-lines.ts';
import { escapeShortLine } from './terminal-text.ts';

const MAX_LINES = 60;
const MAX_EXPECTED_LINES = 12;
/** A value that is longer is shown on several lines. */
const LONGEST_LINE = 100;
/** The most lines of either value that are compared: comparing takes more than linear time. */
const MAX_COMPARED = 500;
/** Equal lines are left out, except for these before and after a difference. */
const LINES_AROUND = 3;
/** The same for one long line. */
const EQUAL_CHARACTERS_SHOWN = 200;
const CHARACTERS_BEFORE = 60;

/** Expected against actual: on two lines if each is one line, otherwise as a diff of lines. */
export async function valueDiff(expected: Json, actual: Json, colors: Colors): Promise<ShownLines> {
  // Two values in the same style: otherwise every line of them is different.
  const indent = [expected, actual].some((value) => printJson(value).length > LONGEST_LINE) ? '  ' : '';
  const left = expectedWords(expected) ?? textOf(expected, indent);
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
    ...(await markedLines(from.lines, to.lines, colors)),
  ];
  const shown = [`${colors.green('- expected')}  ${colors.red('+ actual')}`, ...lines.slice(0, MAX_LINES)];
  if (from.isCut || to.isCut) {
    const sizes = `${countLines(left)} lines expected, ${countLines(right)} received`;
    return { lines: [...shown, colors.dim(`  ... more lines: ${sizes}`)], isCut: true };
  }
  if (lines.length <= MAX_LINES) return { lines: shown, isCut: false };
  return { lines: [...shown, colors.dim(`  ... ${lines.length - MAX_LINES} more lines`)], isCut: true };
}

/** What was expected, without what came. */
export function expectedLines(expected: Json, colors: Colors): ShownLines {
  const text =
    expectedWords(expected) ?? textOf(expected, printJson(expected).length > LONGEST_LINE ? '  ' : '');
  const { lines, isCut } = firstLines(text, MAX_EXPECTED_LINES);
  const [first = '', ...rest] = lines.map(escapeShortLine);
  const shown = [`${colors.green('- expected')}  ${first}`, ...rest.map((line) => `            ${line}`)];
  return { lines: isCut ? [...shown, colors.dim('            ...')] : shown, isCut };
}

/** Two lists of lines as a diff, with marks; lines that are far from any difference are only counted. */
export async function markedLines(
  left: readonly string[],
  right: readonly string[],
  colors: Colors,
): Promise<readonly string[]> {
  const { diffSequences, foldSame } = await import('../../base/match/diff-sequences.ts');
  const lines = foldSame(diffSequences(left, right), (count) => `... ${count} equal lines`);
  return lines.map(({ kind, text }) => {
    if (kind === 'fold') return colors.dim(`  ${text}`);
    const shown = escapeShortLine(text);
    if (kind === 'same') return `  ${shown}`;
    return kind === 'added' ? colors.red(`+ ${shown}`) : colors.green(`- ${shown}`);
  });
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
  // One more than are left out: a note takes as much room as a line.
  if (countLines(text.slice(0, equal)) - 1 <= LINES_AROUND + 1) return 0;
  let start = equal;
  for (let line = 0; line <= LINES_AROUND; line++) start = text.lastIndexOf('\n', start - 1);
  return start + 1;
}
