import type { Program } from '../program/program.ts';
import * as frame from './frames.ts';
import { UNSET } from './machine.ts';
import { push } from './push-frame.ts';

/** Sets a mark and keeps account of the last one; gives the new top of the stack. */
export function setTrackedMark(
  code: Int32Array,
  at: number,
  registers: Int32Array,
  stack: Int32Array,
  top: number,
  position: number,
): number {
  const register = code[at + 1]!;
  const lastRegister = code[at + 2]!;
  const last = registers[lastRegister]!;
  let newTop = top;
  if (register > last) {
    // What lies past the last mark is left over from failed attempts.
    registers.fill(UNSET, last + 1, register);
    newTop = push(stack, newTop, frame.RESTORE, lastRegister, last, 0);
    registers[lastRegister] = register;
  }
  const kind = code[at + 3] === 1 ? frame.RESTORE_STICKY : frame.RESTORE;
  newTop = push(stack, newTop, kind, register, registers[register]!, 0);
  registers[register] = position;
  return newTop;
}

/**
 * Before the choice in the frame at `top` is taken: applies the sticky frames between it and
 * `unsettled`, or, where the choice does not restore such marks, keeps those frames below it for
 * an earlier choice that does. Gives the new place of the choice's frame.
 */
export function settleMarks(
  program: Program,
  registers: Int32Array,
  stack: Int32Array,
  top: number,
  unsettled: number,
): number {
  const [kind, place, two, three] = stack.subarray(top, top + frame.FRAME_SIZE) as unknown as number[];
  const isForgetful = program.forgetful[place!] === 1 && !ALWAYS_RESTORES.has(kind!);
  if (isForgetful) {
    let kept = top;
    for (let from = top + frame.FRAME_SIZE; from < unsettled; from += frame.FRAME_SIZE) {
      if (stack[from] !== frame.RESTORE_STICKY) continue;
      stack.copyWithin(kept, from, from + frame.FRAME_SIZE);
      kept += frame.FRAME_SIZE;
    }
    push(stack, kept, kind!, place!, two!, three!);
    return kept;
  }
  for (let from = unsettled - frame.FRAME_SIZE; from > top; from -= frame.FRAME_SIZE) {
    if (stack[from] === frame.RESTORE_STICKY) registers[stack[from + 1]!] = stack[from + 2]!;
  }
  return top;
}

const ALWAYS_RESTORES: ReadonlySet<number> = new Set([
  frame.LEAVE_LOOP,
  frame.LEAVE_POSSESSIVE,
  frame.BARRIER,
]);
