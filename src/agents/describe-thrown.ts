import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import type { Place } from '../base/model/place.ts';
import { ownFolder, withoutMarks } from './fresh-modules.ts';
import { explainMissingModule } from './missing-module.ts';
import { SourceSyntaxError, withSourcePlace } from './source-places.ts';
import { withoutFolder } from './without-folder.ts';

/** What was thrown, with the stack lines of the user's code. `ownFile` is where our own part starts. */
export function describeThrown(thrown: unknown, ownFile: string): string {
  try {
    if (!(thrown instanceof Error)) return shorten(inspect(thrown));
    const frames = userFrames(thrown, ownFile);
    return [`${thrown.name}: ${thrown.message}${describeCause(thrown)}`, ...frames].join('\n');
  } catch {
    return 'something that cannot be shown';
  }
}

export interface ThrownSummary {
  readonly what: string;
  readonly place?: Place | undefined;
  /** What to do about it, if that is known. */
  readonly hint?: string | undefined;
}

/** The same in one line, and where it was thrown in the user's code, if that is known. */
export function summariseThrown(thrown: unknown, ownFile: string): ThrownSummary {
  if (!(thrown instanceof Error)) return { what: inOneLine(describeThrown(thrown, ownFile)) };
  try {
    const missing = explainMissingModule(thrown);
    if (missing !== undefined) return missing;
    return {
      what: inOneLine(withoutFolder(`${thrown.name}: ${thrown.message}${describeCause(thrown)}`)),
      place:
        placeOfSyntax(thrown) ??
        userFrames(thrown, ownFile)
          .map(placeOf)
          .find((place) => place !== undefined),
    };
  } catch {
    return { what: 'something that cannot be shown' };
  }
}

/** Node puts the line that it cannot read before the stack. */
function placeOfSyntax(error: Error): Place | undefined {
  if (error instanceof SourceSyntaxError) return error.place;
  const [, file, line, caret] =
    /^(.+):(\d+)\n.*\n( *)\^/.exec(error instanceof SyntaxError ? withoutMarks(error.stack ?? '') : '') ?? [];
  return file === undefined
    ? undefined
    : { file: pathOf(file), line: Number(line), column: caret!.length + 1 };
}

function pathOf(file: string): string {
  return file.startsWith('file:') ? fileURLToPath(file) : file;
}

function placeOf(frame: string): Place | undefined {
  const [, file, line, column] = /^\s+at (?:[^(]*\()?(?:async )?(.+):(\d+):(\d+)\)?$/.exec(frame) ?? [];
  if (file === undefined) return undefined;
  return {
    file: resolve(pathOf(file)),
    line: Number(line),
    column: Number(column),
  };
}

function inOneLine(text: string): string {
  return shorten(text.trim().replaceAll(/\s*\n\s*/g, ' '));
}

/** For a network error, only the cause says what went wrong. */
function describeCause({ cause }: Error): string {
  if (cause === undefined || cause === null) return '';
  return ` (${shorten(cause instanceof Error ? cause.message || cause.name : inspect(cause))})`;
}

function userFrames({ stack }: Error, ownFile: string): readonly string[] {
  const frames = withoutMarks(typeof stack === 'string' ? stack : '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line));
  const ours = frames.findIndex((frame) => frame.includes(ownFile));
  return frames
    .slice(0, ours === -1 ? undefined : ours)
    .filter((frame) => !/\(?node:|\/node_modules\/|data:text\//.test(frame) && !frame.includes(ownFolder))
    .slice(0, FRAMES)
    .map((frame) => withoutFolder(withSourcePlace(frame)));
}

const FRAMES = 5;

function shorten(text: string): string {
  return text.length <= 500 ? text : `${text.slice(0, 500)}...`;
}
