import type { Colors } from './colors.ts';
import { displayWidth, escapeLine } from './terminal-text.ts';
import { leavesBracketOpen, valueExtent } from './value-extent.ts';

/** Lines of a file around a place. */
export interface Excerpt {
  /** The number of the first line. */
  readonly firstLine: number;
  readonly lines: readonly string[];
}

interface FramePlace {
  readonly line: number;
  readonly column: number;
  /** The place is a value, even if it begins with a key: that is the first one of an object. */
  readonly isValue?: boolean;
}

const MAX_WIDTH = 100;
/** How much of a long line is shown before the place. */
const BEFORE = 30;

/** The lines around a place, with a caret under it. */
export function codeFrame(excerpt: Excerpt, place: FramePlace, colors: Colors): string {
  return sharedFrame([{ excerpt, place }], colors);
}

interface FramedPlace {
  readonly excerpt: Excerpt;
  readonly place: FramePlace;
}

/** The lines around several places of one file, each once. */
export function sharedFrame(framed: readonly FramedPlace[], colors: Colors): string {
  const lines = new Map<number, string>();
  const places = new Map<number, FramePlace[]>();
  for (const { excerpt, place } of framed) {
    for (const [index, text] of excerpt.lines.entries()) lines.set(excerpt.firstLine + index, text);
    places.set(place.line, [...(places.get(place.line) ?? []), place]);
  }
  const numbers = [...lines.keys()].toSorted((a, b) => a - b);
  const gutter = String(numbers.at(-1)).length;
  return numbers
    .flatMap((number, index) => {
      const own = places.get(number) ?? [];
      const windows = (own.length === 0 ? [{ column: 1 }] : own).map((place) =>
        cutAround(lines.get(number)!, place),
      );
      const [{ text }] = windows as [Window];
      const isAfterGap = index > 0 && numbers[index - 1] !== number - 1;
      const mark = own.length === 0 ? ' ' : colors.red('>');
      const shown = [
        ...(isAfterGap ? [`  ${colors.dim('...')}`] : []),
        `${mark} ${colors.dim(`${String(number).padStart(gutter)} |`)} ${text}`,
      ];
      // Another part of a long line is not shown.
      const visible = windows.filter((window) => window.text === text);
      if (own.length > 0) shown.push(`  ${' '.repeat(gutter)} ${colors.dim('|')} ${carets(visible, colors)}`);
      return shown;
    })
    .join('\n');
}

interface Window {
  readonly text: string;
  readonly caret: number;
  readonly length: number;
}

function carets(windows: readonly Window[], colors: Colors): string {
  let end = 0;
  return windows
    .toSorted((a, b) => a.caret - b.caret)
    .flatMap(({ caret, length }) => {
      const [start, stop] = [Math.max(caret, end), caret + length];
      if (stop <= end) return [];
      const gap = ' '.repeat(start - end);
      end = stop;
      return [gap + colors.red('^'.repeat(stop - start))];
    })
    .join('');
}

/** A long line (a dataset may have lines of megabytes) is cut to the part around the place first. */
function cutAround(line: string, { column, isValue = false }: Omit<FramePlace, 'line'>): Window {
  const target = textFrom(line, offsetOfColumn(line, column));
  const isShort = line.length <= MAX_WIDTH;
  const from = isShort
    ? 0
    : wholeCharacter(line, Math.max(0, Math.min(target - BEFORE, line.length - MAX_WIDTH)));
  const to = isShort ? line.length : wholeCharacter(line, Math.min(line.length, from + MAX_WIDTH));
  const show = (start: number, end: number): string =>
    escapeLine(line.slice(start, end).replaceAll('\t', '→'));
  const before = (from > 0 ? '…' : '') + show(from, target);
  const extent = valueExtent(line.slice(target, to), {
    isInFlow: leavesBracketOpen(line.slice(from, target)),
    isKey: !isValue,
  });
  return {
    text: before + show(target, to) + (to < line.length ? '…' : ''),
    caret: displayWidth(before),
    length: Math.max(1, displayWidth(show(target, target + extent))),
  };
}

/** A place that is a whole line (column 1) is where its text begins: a caret under nothing points at nothing. */
function textFrom(line: string, offset: number): number {
  if (offset > 0 || !line.startsWith(' ')) return offset;
  return /^ *(?:- +)?/.exec(line.slice(0, MAX_WIDTH))![0].length;
}

/** Findings in one long line come in order: the search for the next column starts where the last one ended. */
let found = { line: '', column: 1, offset: 0 };

function offsetOfColumn(line: string, column: number): number {
  let { column: passed, offset } =
    found.line === line && found.column <= column ? found : { column: 1, offset: 0 };
  for (; passed < column && offset < line.length; passed++)
    offset += line.codePointAt(offset)! > 0xffff ? 2 : 1;
  found = { line, column: passed, offset };
  return offset;
}

/** Not between the halves of a surrogate pair. */
function wholeCharacter(line: string, offset: number): number {
  return offset > 0 && line.codePointAt(offset - 1)! > 0xffff ? offset - 1 : offset;
}
