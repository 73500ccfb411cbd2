import type { AgentFailure, AgentProblem } from './agent-failures.ts';
import { escapeLine } from './terminal-text.ts';

/** How much of each failure is shown. */
interface Detail {
  /** Characters of a value or a message. */
  readonly value: number;
  /** Characters of a test's name. */
  readonly name: number;
  readonly problems: number;
  /** The name of a file stands once above its failures, not in each line. */
  readonly isByFile: boolean;
}

/** From everything that is useful to what is needed at least. The first that fits is used. */
const DETAILS: readonly Detail[] = [
  { value: 600, name: 200, problems: 3, isByFile: false },
  { value: 240, name: 120, problems: 3, isByFile: false },
  { value: 120, name: 80, problems: 2, isByFile: false },
  { value: 70, name: 60, problems: 1, isByFile: false },
  { value: 40, name: 40, problems: 1, isByFile: false },
  { value: 24, name: 30, problems: 1, isByFile: false },
  { value: 16, name: 20, problems: 1, isByFile: false },
  { value: 40, name: 30, problems: 1, isByFile: true },
  { value: 24, name: 24, problems: 1, isByFile: true },
  { value: 20, name: 16, problems: 1, isByFile: true },
  { value: 16, name: 12, problems: 1, isByFile: true },
  { value: 16, name: 0, problems: 1, isByFile: true },
  { value: 12, name: 0, problems: 1, isByFile: true },
];

/** Below this width, a failure takes one line instead of two. */
const TWO_LINES_FROM = 70;

export interface FailureText {
  readonly lines: readonly string[];
  /** How many failures did not fit. */
  readonly hidden: number;
}

/** The failures in at most this many characters: fewer details first, then fewer failures. */
export function failureLines(failures: readonly AgentFailure[], maxCharacters: number): FailureText {
  const groups = groupAlike(failures);
  for (const detail of DETAILS) {
    const { lines, shown } = fittingLines(groups, detail, maxCharacters);
    if (shown === groups.length) return { lines, hidden: 0 };
  }
  const { lines, shown } = fittingLines(groups, DETAILS.at(-1)!, maxCharacters);
  return { lines, hidden: groups.slice(shown).reduce((sum, group) => sum + group.length, 0) };
}

/** The lines of as many groups as fit. */
function fittingLines(
  groups: readonly Group[],
  detail: Detail,
  maxCharacters: number,
): { readonly lines: readonly string[]; readonly shown: number } {
  const lines: string[] = [];
  let room = maxCharacters;
  let file: string | undefined;
  for (const [index, group] of groups.entries()) {
    const [first] = group;
    const isNewFile = detail.isByFile && group.length === 1 && first.file !== file;
    const own = [
      ...(isNewFile ? [escapeLine(first.file)] : []),
      ...(group.length === 1 ? oneFailure(first, detail) : manyAlike(group, detail)),
    ];
    room -= own.reduce((sum, line) => sum + line.length + 1, 0);
    if (room < 0) return { lines, shown: index };
    lines.push(...own);
    if (isNewFile) file = first.file;
  }
  return { lines, shown: groups.length };
}

type Group = readonly [AgentFailure, ...AgentFailure[]];

/** Tests that failed for one reason are one block. */
function groupAlike(failures: readonly AgentFailure[]): readonly Group[] {
  const groups = new Map<string, [AgentFailure, ...AgentFailure[]]>();
  for (const failure of failures) {
    const { verdict, problems, hidden, repeats } = failure;
    const key = JSON.stringify([verdict, problems, hidden, repeats]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [failure]);
    else group.push(failure);
  }
  return [...groups.values()];
}

function oneFailure(failure: AgentFailure, detail: Detail): readonly string[] {
  const { file, line, test, row, verdict } = failure;
  const place = detail.isByFile ? ` :${line}` : `${escapeLine(file)}:${line}`;
  const of = row === undefined ? '' : ` (row ${escapeLine(row.file)}:${row.line})`;
  const mark = verdict === 'error' ? ' ERROR' : '';
  const head = `${place}${mark} ${cutInside(test, detail.name)}`.trimEnd();
  if (detail.value < TWO_LINES_FROM) return [`${head} ${problemLines(failure, detail)[0] ?? ''}`];
  return [`${head}${of}`, ...problemLines(failure, detail).map((text) => `  ${text}`)];
}

function manyAlike(group: Group, detail: Detail): readonly string[] {
  const [first] = group;
  const mark = first.verdict === 'error' ? ' ERROR' : '';
  const what = problemLines(first, detail);
  return [
    `${group.length} tests${mark}, all the same: ${what[0] ?? ''}`,
    ...what.slice(1).map((text) => `  ${text}`),
    ...placesOf(group, detail).map((text) => `  ${text}`),
  ];
}

/** Without room for names, the lines of a file are enough to find its tests. */
function placesOf(group: Group, { name }: Detail): readonly string[] {
  const byFile = new Map<string, AgentFailure[]>();
  for (const failure of group) {
    const own = byFile.get(failure.file);
    if (own === undefined) byFile.set(failure.file, [failure]);
    else own.push(failure);
  }
  const isNamed = name >= MIN_LISTED_NAME;
  return [...byFile].flatMap(([file, failures]) =>
    isNamed
      ? failures.map(({ line, test }) => `${escapeLine(file)}:${line} ${cutInside(test, name)}`)
      : [`${escapeLine(file)}:${[...new Set(failures.map(({ line }) => line))].join(',')}`],
  );
}

const MIN_LISTED_NAME = 40;

function problemLines({ problems, hidden, repeats }: AgentFailure, detail: Detail): readonly string[] {
  const shown = problems.slice(0, detail.problems).map((problem) => problemText(problem, detail));
  const more = hidden + problems.length - shown.length;
  if (more > 0 && shown.length > 0) shown[shown.length - 1] += ` (+${more} more)`;
  return repeats === undefined || detail.value < TWO_LINES_FROM
    ? shown
    : [...shown, `(${cut(repeats, detail.value)})`];
}

function problemText({ name, message, expected, actual, same = 0 }: AgentProblem, { value }: Detail): string {
  const label = cut(name, Math.max(30, value));
  if (expected === undefined || actual === undefined) return `${label}: ${cut(message, value * 2)}`;
  // Enough of what both begin with to find the place.
  const start = same <= value / 3 ? 0 : same - Math.floor(value / 4);
  const part = (text: string): string => `"${start === 0 ? '' : '…'}${cut(text.slice(start), value)}"`;
  return `${label}: expected ${part(expected)}, got ${part(actual)}`;
}

function cut(text: string, width: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= width) return escapeLine(line);
  return `${escapeLine(line.slice(0, width - 1).replace(/[\ud800-\udbff]$/, ''))}…`;
}

/** Names of tests mostly differ at their ends. */
function cutInside(text: string, width: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= width) return escapeLine(line);
  if (width === 0) return '';
  const end = Math.floor((width - 1) / 2);
  const start = line.slice(0, width - 1 - end).replace(/[\ud800-\udbff]$/, '');
  return escapeLine(`${start}…${line.slice(line.length - end).replace(/^[\udc00-\udfff]/, '')}`);
}
