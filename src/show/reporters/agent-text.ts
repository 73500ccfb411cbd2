import { posix } from 'node:path';
import { groupBy } from '../../base/model/group-by.ts';
import type { AgentFailure, AgentProblem } from './agent-failures.ts';
import { escapeLine } from './terminal-text.ts';

/** How much of each failure is shown. */
interface Detail {
  /** Characters of a value or a message; 0: only the names of claims are shown. */
  readonly value: number;
  /** Characters of a test's name. */
  readonly name: number;
  readonly problems: number;
  /** What stands once above its failures, not in each line. */
  readonly heading?: 'file' | 'folder';
}

/** From everything that is useful to what is needed at least. The first that fits is used. */
const DETAILS: readonly Detail[] = [
  { value: 600, name: 200, problems: 3 },
  { value: 240, name: 120, problems: 3 },
  { value: 120, name: 80, problems: 2 },
  { value: 70, name: 60, problems: 1 },
  { value: 40, name: 40, problems: 1 },
  { value: 24, name: 30, problems: 1 },
  { value: 16, name: 20, problems: 1 },
  { value: 40, name: 30, problems: 1, heading: 'file' },
  { value: 24, name: 24, problems: 1, heading: 'file' },
  { value: 20, name: 16, problems: 1, heading: 'file' },
  { value: 16, name: 12, problems: 1, heading: 'file' },
  { value: 16, name: 0, problems: 1, heading: 'file' },
  { value: 12, name: 0, problems: 1, heading: 'file' },
  { value: 24, name: 24, problems: 1, heading: 'folder' },
  { value: 16, name: 0, problems: 1, heading: 'folder' },
  { value: 0, name: 0, problems: 1, heading: 'folder' },
  { value: 0, name: 0, problems: 0, heading: 'folder' },
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
  const reasons = DETAILS.filter(({ value }) => value > 0);
  const places = DETAILS.filter(({ value }) => value === 0);
  const whole = allThatFit(groups, reasons, maxCharacters);
  if (whole !== undefined) return { lines: whole, hidden: 0 };
  // Places alone do not say what is wrong: the first failures have their reasons.
  for (const part of PARTS_WITH_REASONS) {
    const { lines, shown } = fittingLines(groups, FIRST_FAILURES, maxCharacters * part);
    const rest = allThatFit(groups.slice(shown), places, maxCharacters - sizeOf(lines));
    if (rest !== undefined) return { lines: [...lines, ...rest], hidden: 0 };
  }
  const bare = groups.length > MANY ? undefined : allThatFit(groups, places, maxCharacters);
  if (bare !== undefined) return { lines: bare, hidden: 0 };
  const first = fittingLines(groups, FIRST_FAILURES, maxCharacters * PARTS_WITH_REASONS[0]);
  const { lines, hidden } = mostThatFit(groups.slice(first.shown), maxCharacters - sizeOf(first.lines));
  return { lines: [...first.lines, ...lines], hidden };
}

const FIRST_FAILURES: Detail = { value: 120, name: 80, problems: 2 };
/** How much of the text shows them: less, if all places fit then. */
const PARTS_WITH_REASONS = [0.25, 0.125, 0.0625] as const;
/** Of more failures than this, some reasons are worth more than the last places. */
const MANY = 100;

/** Undefined if there is too little room with each of these details. */
function allThatFit(
  groups: readonly Group[],
  details: readonly Detail[],
  maxCharacters: number,
): readonly string[] | undefined {
  for (const detail of details) {
    const { lines, shown } = fittingLines(groups, detail, maxCharacters);
    if (shown === groups.length) return lines;
  }
  return undefined;
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

/** Of a group that does not fit, its first half, and so on: one reason of many failures must not hide all of them. */
function mostThatFit(groups: readonly Group[], maxCharacters: number): FailureText {
  const detail = DETAILS.at(-1)!;
  const { shown } = fittingLines(groups, detail, maxCharacters);
  const whole = groups.slice(0, shown);
  let part = groups[shown]!;
  let fitting = whole;
  while (part.length > 1 && fitting === whole) {
    part = part.slice(0, part.length / 2) as unknown as Group;
    if (fittingLines([...whole, part], detail, maxCharacters).shown > shown) fitting = [...whole, part];
  }
  const count = (some: readonly Group[]): number => some.reduce((sum, group) => sum + group.length, 0);
  return {
    lines: fittingLines(fitting, detail, maxCharacters).lines,
    hidden: count(groups) - count(fitting),
  };
}

/** The lines of as many groups as fit. */
function fittingLines(
  groups: readonly Group[],
  detail: Detail,
  maxCharacters: number,
): { readonly lines: readonly string[]; readonly shown: number } {
  const lines: string[] = [];
  let room = maxCharacters;
  let above: string | undefined;
  for (const [index, group] of groups.entries()) {
    const [first] = group;
    const heading = group.length === 1 ? headingOf(first, detail) : undefined;
    const own = [
      ...(heading === undefined || heading === above ? [] : [heading]),
      ...(group.length === 1 ? oneFailure(first, detail) : manyAlike(group, detail)),
    ];
    room -= sizeOf(own);
    if (room < 0) return { lines, shown: index };
    lines.push(...own);
    // After a block of many, the next failure needs its heading again.
    above = heading;
  }
  return { lines, shown: groups.length };
}

function headingOf({ file }: AgentFailure, { heading }: Detail): string | undefined {
  if (heading === undefined) return undefined;
  return heading === 'file' ? escapeLine(file) : `in ${escapeLine(posix.dirname(file))}:`;
}

type Group = readonly [AgentFailure, ...AgentFailure[]];

/** Tests that failed for one reason are one block. */
function groupAlike(failures: readonly AgentFailure[]): readonly Group[] {
  const groups = groupBy(failures, ({ verdict, problems, hidden, repeats }) =>
    JSON.stringify([verdict, problems, hidden, repeats]),
  );
  return [...groups.values()] as unknown as readonly Group[];
}

function oneFailure(failure: AgentFailure, detail: Detail): readonly string[] {
  const { file, line, test, row, verdict } = failure;
  const place = `${shownFile(file, detail)}:${line}`;
  const of = row === undefined ? '' : ` (row ${escapeLine(row.file)}:${row.line})`;
  const mark = verdict === 'error' ? ' ERROR' : '';
  const head = `${`${place}${mark} ${cutInside(test, detail.name)}`.trimEnd()}${targetsOf([failure])}`;
  if (detail.value < TWO_LINES_FROM) return [`${head} ${problemLines(failure, detail)[0] ?? ''}`.trimEnd()];
  return [`${head}${of}`, ...problemLines(failure, detail).map((text) => `  ${text}`)];
}

/** What is left of its name under a heading. */
function shownFile(file: string, { heading }: Detail): string {
  if (heading === undefined) return escapeLine(file);
  return ` ${heading === 'file' ? '' : escapeLine(posix.basename(file))}`;
}

/** Empty if the run has one target. */
function targetsOf(failures: readonly AgentFailure[]): string {
  const names = [...new Set(failures.flatMap(({ target = [] }) => target))];
  return names.length === 0 ? '' : ` [${cut(names.join(', '), MAX_TARGETS)}]`;
}

const MAX_TARGETS = 80;

function manyAlike(group: Group, detail: Detail): readonly string[] {
  const [first] = group;
  const mark = first.verdict === 'error' ? ' ERROR' : '';
  const what = problemLines(first, detail);
  return [
    `${countOf(group)}${mark}, all the same: ${what[0] ?? ''}`.trimEnd(),
    ...what.slice(1).map((text) => `  ${text}`),
    ...placesOf(group, detail).map((text) => `  ${text}`),
  ];
}

/** A test counts once, however many targets it failed with. */
function countOf(group: Group): string {
  const tests = groupBy(group, testKeyOf).size;
  return tests === 1 ? 'one test' : `${tests} tests`;
}

/** Without room for names, the lines of a file are enough to find its tests. */
function placesOf(group: Group, { name, heading }: Detail): readonly string[] {
  if (name >= MIN_LISTED_NAME)
    return [...groupBy(group, testKeyOf).values()].map(
      (same) =>
        `${escapeLine(same[0]!.file)}:${same[0]!.line} ${cutInside(same[0]!.test, name)}${targetsOf(same)}`,
    );
  const files = [...groupBy(group, ({ file }) => file)].map(([file, failures]) => ({
    file,
    lines: `${[...new Set(failures.map(({ line }) => line))].join(',')}${targetsOf(failures)}`,
  }));
  if (heading !== 'folder') return files.map(({ file, lines }) => `${escapeLine(file)}:${lines}`);
  return [...groupBy(files, ({ file }) => posix.dirname(file))].map(
    ([folder, own]) =>
      `in ${escapeLine(folder)}: ${own.map(({ file, lines }) => `${escapeLine(posix.basename(file))}:${lines}`).join(' ')}`,
  );
}

function testKeyOf({ file, line, test, row }: AgentFailure): string {
  return JSON.stringify([file, line, test, row]);
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

function problemText(problem: AgentProblem, { value }: Detail): string {
  const { name, message, expected, actual, same = 0 } = problem;
  const label = cut(name, Math.max(30, value));
  if (value === 0) return label;
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
