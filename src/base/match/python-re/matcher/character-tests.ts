import { TABLE_SIZE } from '../program/character-class.ts';
import { FILTER_SIZE } from '../program/first-filter.ts';
import { CHARACTER, CLASS, NOT_CHARACTER, NOT_NEWLINE } from '../program/opcodes.ts';
import type { Program } from '../program/program.ts';

/** Where the run of the instruction at `at` ends that begins at `start`, at `limit` at the latest. */
export function scanRun(
  program: Program,
  codePoints: Int32Array,
  at: number,
  start: number,
  limit: number,
): number {
  const operand = program.code[at + 2]!;
  let position = start;
  switch (program.code[at + 1]!) {
    case CLASS: {
      const { classTables } = program;
      while (position < limit && classHas(program, classTables, operand, codePoints[position]!))
        position += 1;
      return position;
    }
    case CHARACTER:
      while (position < limit && codePoints[position] === operand) position += 1;
      return position;
    case NOT_CHARACTER:
      while (position < limit && codePoints[position] !== operand) position += 1;
      return position;
    case NOT_NEWLINE:
      while (position < limit && codePoints[position] !== NEWLINE) position += 1;
      return position;
    default:
      return limit;
  }
}

/** The last end of a run from `earliest` to `end` that what follows can begin at, or less than `earliest`. */
export function shortenRun(
  program: Program,
  codePoints: Int32Array,
  filter: number,
  end: number,
  earliest: number,
): number {
  let position = end;
  while (position >= earliest && !passesFilter(program, filter, codePoints[position]!)) position -= 1;
  return position;
}

/** The first end of a run from `earliest` to `latest` that what follows can begin at; if there is none, minus how far it was looked for. */
export function stretchRun(
  program: Program,
  codePoints: Int32Array,
  at: number,
  earliest: number,
  latest: number,
): number {
  const filter = program.code[at + 5]!;
  let position = earliest;
  while (!passesFilter(program, filter, codePoints[position]!)) {
    if (position >= latest || scanRun(program, codePoints, at, position, position + 1) === position)
      return -Math.max(position, 1);
    position += 1;
  }
  return position;
}

export function classHas(
  program: Program,
  classTables: Uint8Array,
  number: number,
  codePoint: number,
): boolean {
  if (codePoint < TABLE_SIZE) return classTables[number * TABLE_SIZE + codePoint] === 1;
  return program.wideMembers[number]!(codePoint);
}

/** Whether something with this filter can begin with the character, which may be END_OF_TEXT. */
export function passesFilter(program: Program, number: number, codePoint: number): boolean {
  if (number < 0) return true;
  if (codePoint < 0) return false;
  return program.filters[number * FILTER_SIZE + (codePoint < TABLE_SIZE ? codePoint : TABLE_SIZE)] === 1;
}

const NEWLINE = 10;
