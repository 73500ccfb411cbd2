import { FINAL_END, LINE_END, LINE_START, STRING_END, STRING_START } from '../program/opcodes.ts';
import type { Program } from '../program/program.ts';
import { classHas } from './character-tests.ts';

/** Whether the anchor at `at` holds at a position. */
export function anchorHolds(
  program: Program,
  at: number,
  codePoints: Int32Array,
  length: number,
  position: number,
): boolean {
  switch (program.code[at]!) {
    case STRING_START:
      return position === 0;
    case LINE_START:
      return position === 0 || codePoints[position - 1] === NEWLINE;
    case STRING_END:
      return position === length;
    case FINAL_END:
      return position === length || (position === length - 1 && codePoints[position] === NEWLINE);
    case LINE_END:
      return position === length || codePoints[position] === NEWLINE;
    default: {
      // In an empty subject Python finds neither a word boundary nor its absence.
      if (length === 0) return false;
      const word = program.code[at + 1]!;
      const before = position > 0 && classHas(program, program.classTables, word, codePoints[position - 1]!);
      const after = position < length && classHas(program, program.classTables, word, codePoints[position]!);
      return (before !== after) === (program.code[at + 2] === 1);
    }
  }
}

const NEWLINE = 10;
