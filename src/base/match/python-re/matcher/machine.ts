import type { SubjectText } from './subject-text.ts';

/** The memory that matching works in, kept from one search to the next. */
export interface Machine {
  readonly text: SubjectText;
  registers: Int32Array;
  stack: Int32Array;
  /** Steps left before the search is given up. */
  steps: number;
}

export const UNSET = -1;

export function newMachine(): Machine {
  return {
    text: { codePoints: new Int32Array(256), length: 0, hasOnlyBmp: true },
    registers: new Int32Array(32),
    stack: new Int32Array(1024),
    steps: 0,
  };
}

export function clearRegisters(machine: Machine, count: number): void {
  if (machine.registers.length < count) machine.registers = new Int32Array(count * 2);
  machine.registers.fill(UNSET, 0, count);
}

/** Doubles the stack, and keeps what is on it. */
export function enlargeStack(machine: Machine): Int32Array {
  const larger = new Int32Array(machine.stack.length * 2);
  larger.set(machine.stack);
  machine.stack = larger;
  return larger;
}

/** Lets go of what an unusually large search has grown. */
export function shrink(machine: Machine): void {
  if (machine.stack.length > LARGEST_KEPT) machine.stack = new Int32Array(1024);
  if (machine.text.codePoints.length > LARGEST_KEPT) machine.text.codePoints = new Int32Array(256);
}

const LARGEST_KEPT = 1 << 18;
