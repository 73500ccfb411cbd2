import type { Json } from '../../base/model/json.ts';
import type { ShownLines } from './shown-lines.ts';
import { countLines } from '../../base/model/compares-output.ts';
import { firstLines } from './shown-lines.ts';
import { escapeShortLine } from './terminal-text.ts';
import { grouped } from '../../base/model/grouped.ts';

/** A text of at most this many lines is shown whole. */
const MAX_WHOLE_LINES = 12;
const FIRST_SHOWN = 4;
const LAST_SHOWN = 2;
const LINES_AROUND = 2;
/** How much of a text is searched for what matters. */
const MAX_SEARCHED_LINES = 5000;
const MAX_NEEDLES = 5;
const MAX_NEEDLE = 500;
const CHARACTERS_BEFORE = 100;
const LONG_LINE = 300;

/**
 * The lines of a text that say most about what was expected of it: those nearest to the expected texts, the first
 * and the last ones. The rest is folded.
 */
export function outputExcerpt(text: string, expected: readonly Json[]): ShownLines {
  const needles = expected.flatMap(textsIn).slice(0, MAX_NEEDLES).map(createNeedle);
  const { lines, isCut } = firstLines(text, MAX_SEARCHED_LINES);
  const all = countLines(text);
  const show = (line: string): string => escapeShortLine(cutLine(line, needles));
  if (all <= MAX_WHOLE_LINES) {
    const left = lines.reduce((sum, { length }) => sum + Math.max(0, length - LONG_LINE), 0);
    const note = left === 0 ? [] : [`... ${grouped(left)} more characters`];
    return { lines: [...lines.map(show), ...note], isCut: left > 0 };
  }
  const wanted = new Set<number>();
  const add = (from: number, to: number): void => {
    for (let index = Math.max(0, from); index <= Math.min(lines.length - 1, to); index++) wanted.add(index);
  };
  add(0, FIRST_SHOWN - 1);
  for (const needle of needles) {
    const best = nearestLine(lines, needle);
    if (best !== -1) add(best - LINES_AROUND, best + LINES_AROUND);
  }
  if (!isCut) add(lines.length - LAST_SHOWN, lines.length - 1);
  return { lines: folded(lines, wanted, all).map(show), isCut: true };
}

function folded(lines: readonly string[], wanted: ReadonlySet<number>, all: number): readonly string[] {
  const shown: string[] = [];
  let next = 0;
  const skip = (to: number): void => {
    // A note takes as much room as a line.
    if (to - next === 1 && next < lines.length) shown.push(lines[next]!);
    else if (to > next) shown.push(`... ${to - next} more lines`);
  };
  for (const index of [...wanted].sort((a, b) => a - b)) {
    skip(index);
    shown.push(lines[index]!);
    next = index + 1;
  }
  skip(all);
  return shown;
}

interface Needle {
  readonly text: string;
  readonly words: ReadonlySet<string>;
}

function createNeedle(text: string): Needle {
  const lowered = text.slice(0, MAX_NEEDLE).toLowerCase();
  return { text: lowered, words: new Set(wordsOf(lowered)) };
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The strings of an expected value; those of a matcher too. */
function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((inner) => textsIn(inner as Json));
}

/** The line with the text, or else the one with most of its words; -1 if none has half of them. */
function nearestLine(lines: readonly string[], { text, words }: Needle): number {
  let best = -1;
  let most = Math.max(1, words.size / 2);
  for (const [index, line] of lines.entries()) {
    const lowered = line.slice(0, 10_000).toLowerCase();
    if (lowered.includes(text)) return index;
    if (words.size === 0) continue;
    const shared = new Set(wordsOf(lowered).filter((word) => words.has(word))).size;
    if (shared > most || (shared === most && best === -1)) [best, most] = [index, shared];
  }
  return best;
}

/** A long line from a little before the first thing that was expected in it. */
function cutLine(line: string, needles: readonly Needle[]): string {
  if (line.length <= LONG_LINE) return line;
  const lowered = line.toLowerCase();
  const found = needles
    .flatMap(({ text, words }) => [text, ...[...words].filter(({ length }) => length > 3)])
    .map((part) => lowered.indexOf(part))
    .find((index) => index !== -1);
  if (found === undefined || found < LONG_LINE - CHARACTERS_BEFORE) return line;
  return `…${line.slice(found - CHARACTERS_BEFORE).replace(/^[\udc00-\udfff]/, '')}`;
}
