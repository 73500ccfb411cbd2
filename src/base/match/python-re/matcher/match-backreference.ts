import { BACKREFERENCE } from '../program/opcodes.ts';
import type { Program } from '../program/program.ts';
import { asciiCase, unicodeCase } from '../unicode/letter-case.ts';

/** Where the text of a group, repeated at `position`, ends, or -1 if it is not there or the group is unset. */
export function backreferenceEnd(
  program: Program,
  at: number,
  registers: Int32Array,
  codePoints: Int32Array,
  length: number,
  position: number,
): number {
  const { code } = program;
  const register = code[at + 1]!;
  if (!isGroupSet(program, registers, register)) return -1;
  const start = registers[register]!;
  const size = registers[register + 1]! - start;
  if (position + size > length) return -1;
  if (code[at] === BACKREFERENCE) {
    for (let offset = 0; offset < size; offset += 1) {
      if (codePoints[start + offset] !== codePoints[position + offset]) return -1;
    }
    return position + size;
  }
  const { lower } = code[at + 2] === 1 ? unicodeCase : asciiCase;
  for (let offset = 0; offset < size; offset += 1) {
    if (lower(codePoints[start + offset]!) !== lower(codePoints[position + offset]!)) return -1;
  }
  return position + size;
}

/** A group that is open again still has its old end, which counts unless it lies before the new start. */
export function isGroupSet({ lastMarkRegister }: Program, registers: Int32Array, register: number): boolean {
  if (lastMarkRegister >= 0 && register >= registers[lastMarkRegister]!) return false;
  const start = registers[register]!;
  return start >= 0 && registers[register + 1]! >= start;
}
