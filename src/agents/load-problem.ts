import { readFileSync } from 'node:fs';
import type { Place } from '../base/model/place.ts';
import { describeThrown, summariseThrown } from './describe-thrown.ts';
import { withoutFolder } from './without-folder.ts';

/** Why a module cannot be loaded: what was thrown, where in the user's code, the code there, and what to do. */
export function describeLoadProblem(
  thrown: unknown,
  ownFile: string,
): { readonly message: string; readonly hint: string | undefined } {
  const { what, place, hint } = summariseThrown(thrown, ownFile);
  // The calls that led to it say nothing about a file that did not run.
  const isStatic = hint !== undefined || thrown instanceof SyntaxError;
  const lines = isStatic
    ? [what, ...(place === undefined ? [] : [placeLine(place)])]
    : [withoutFolder(describeThrown(thrown, ownFile))];
  return { message: [...lines, ...codeLines(place)].join('\n'), hint };
}

export function placeLine({ file, line, column }: Place): string {
  return `    at ${withoutFolder(file)}:${line}:${column}`;
}

const BEFORE = 2;
const MAX_WIDTH = 120;

/** The lines of a file up to a place, with a caret under it. None if it cannot be read. */
export function codeLines(place: Place | undefined): readonly string[] {
  if (place === undefined) return [];
  const { file, line, column } = place;
  const first = Math.max(1, line - BEFORE);
  const lines = readLines(file).slice(first - 1, line);
  if (lines.length < line - first + 1) return [];
  const cut = Math.max(0, column - MAX_WIDTH);
  const width = String(line).length;
  return [
    ...lines.map((text, index) => {
      const number = first + index;
      const shown = text.slice(cut, cut + MAX_WIDTH).replaceAll('\t', ' ');
      return `${number === line ? '  >' : '   '} ${String(number).padStart(width)} | ${shown}`.trimEnd();
    }),
    `    ${' '.repeat(width)} | ${' '.repeat(Math.max(0, column - 1 - cut))}^`,
  ];
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/);
  } catch {
    return [];
  }
}
