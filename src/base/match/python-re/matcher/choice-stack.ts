import * as frame from './frames.ts';

/** Drops the choices above `base` but keeps what they and others would have restored; gives the new top. */
export function cutChoices(stack: Int32Array, base: number, top: number): number {
  let kept = base;
  for (let from = base; from < top; from += frame.FRAME_SIZE) {
    const kind = stack[from]!;
    if (kind > frame.LAST_UNDO && kind !== frame.LEAVE_LOOP) continue;
    stack.copyWithin(kept, from, from + frame.FRAME_SIZE);
    if (kind === frame.LEAVE_LOOP) stack[kept] = frame.LEAVE_ROUND;
    kept += frame.FRAME_SIZE;
  }
  return kept;
}

/**
 * Drops everything above `base` but sticky frames, and restores the registers to what they were
 * then; gives the new top.
 */
export function undoTo(
  base: number,
  stack: Int32Array,
  top: number,
  registers: Int32Array,
  code: Int32Array,
): number {
  for (let from = top - frame.FRAME_SIZE; from >= base; from -= frame.FRAME_SIZE) {
    const place = stack[from + 1]!;
    switch (stack[from]!) {
      case frame.RESTORE:
        registers[place] = stack[from + 2]!;
        break;
      case frame.RESTORE_PAIR:
        registers[place] = stack[from + 2]!;
        registers[place + 1] = stack[from + 3]!;
        break;
      case frame.LEAVE_ROUND:
      case frame.LEAVE_LOOP: {
        const register = code[place + 1]!;
        registers[register] = registers[register]! - 1;
        registers[register + 1] = stack[from + 3]!;
        break;
      }
    }
  }
  return keepSticky(stack, base, top);
}

function keepSticky(stack: Int32Array, base: number, top: number): number {
  let kept = base;
  for (let from = base; from < top; from += frame.FRAME_SIZE) {
    if (stack[from] !== frame.RESTORE_STICKY) continue;
    stack.copyWithin(kept, from, from + frame.FRAME_SIZE);
    kept += frame.FRAME_SIZE;
  }
  return kept;
}
