import * as opcodes from '../program/opcodes.ts';
import type { Program } from '../program/program.ts';
import { anchorHolds } from './anchor-holds.ts';
import { classHas, passesFilter, scanRun, shortenRun, stretchRun } from './character-tests.ts';
import { cutChoices, undoTo } from './choice-stack.ts';
import * as frames from './frames.ts';
import { push } from './push-frame.ts';
import { setTrackedMark, settleMarks } from './tracked-marks.ts';
import { enlargeStack, type Machine } from './machine.ts';
import { backreferenceEnd, isGroupSet } from './match-backreference.ts';

// Copies, because a loader may make every use of an imported name a call.
const op = { ...opcodes };
const frame = { ...frames };

export const NO_MATCH = -1;
export const OUT_OF_STEPS = -2;

const NEWLINE = 10;

/** Steps are counted where a program can repeat itself; scanning this many characters counts as one. */
const SCANNED_PER_STEP = 16;

/** More than one instruction may push. */
const HEADROOM = 4 * frame.FRAME_SIZE;

/**
 * Matches at `start` by backtracking: gives the end of the match, NO_MATCH or OUT_OF_STEPS.
 * One long function, because what every instruction uses must be in local variables to be fast.
 * The stack holds the choices still open and, between them, the register values to restore when
 * going back to an earlier choice. An instruction that succeeds continues the loop; one that
 * fails breaks out of the switch, to the latest choice.
 */
export function runProgram(program: Program, machine: Machine, start: number): number {
  const { code, classTables } = program;
  const { registers } = machine;
  const { codePoints, length } = machine.text;
  const tracksMarks = program.lastMarkRegister !== op.NONE;
  let { stack, steps } = machine;
  let roomLeft = stack.length - HEADROOM;
  let top = 0;
  let position = start;
  let at = 0;

  for (;;) {
    if (top > roomLeft) {
      stack = enlargeStack(machine);
      roomLeft = stack.length - HEADROOM;
    }
    switch (code[at]!) {
      case op.MATCH:
        machine.steps = steps;
        return position;

      case op.CHARACTER:
        if (codePoints[position] !== code[at + 1]) break;
        position += 1;
        at += 2;
        continue;

      case op.NOT_CHARACTER:
        if (position === length || codePoints[position] === code[at + 1]) break;
        position += 1;
        at += 2;
        continue;

      case op.NOT_NEWLINE:
        if (position === length || codePoints[position] === NEWLINE) break;
        position += 1;
        at += 1;
        continue;

      case op.ANY_CHARACTER:
        if (position === length) break;
        position += 1;
        at += 1;
        continue;

      case op.CLASS:
        if (position === length || !classHas(program, classTables, code[at + 1]!, codePoints[position]!))
          break;
        position += 1;
        at += 2;
        continue;

      case op.MARK: {
        const register = code[at + 1]!;
        top = push(stack, top, frame.RESTORE, register, registers[register]!, 0);
        registers[register] = position;
        at += 2;
        continue;
      }

      case op.TRACKED_MARK:
        top = setTrackedMark(code, at, registers, stack, top, position);
        at += 4;
        continue;

      case op.BARRIER:
        top = push(stack, top, frame.BARRIER, 0, 0, 0);
        at += 1;
        continue;

      case op.JUMP:
        at = code[at + 1]!;
        continue;

      case op.ALTERNATIVE: {
        const codePoint = codePoints[position]!;
        let chosen = at;
        while (!passesFilter(program, code[chosen + 1]!, codePoint)) {
          chosen = code[chosen + 2]!;
          if (chosen < 0) break;
        }
        if (chosen < 0) break;
        let other = code[chosen + 2]!;
        while (other >= 0 && !passesFilter(program, code[other + 1]!, codePoint)) other = code[other + 2]!;
        if (other >= 0) top = push(stack, top, frame.RESUME, other, position, 0);
        at = chosen + 3;
        continue;
      }

      case op.GREEDY_RUN:
      case op.POSSESSIVE_RUN: {
        const earliest = position + code[at + 3]!;
        if (earliest > length) break;
        const end = scanRun(program, codePoints, at, position, Math.min(length, position + code[at + 4]!));
        steps -= Math.trunc((end - position) / SCANNED_PER_STEP);
        if (end < earliest) break;
        if (code[at] === op.POSSESSIVE_RUN) {
          position = end;
          at += 6;
          continue;
        }
        position = shortenRun(program, codePoints, code[at + 5]!, end, earliest);
        if (position < earliest) break;
        if (position > earliest) top = push(stack, top, frame.SHORTEN_RUN, at, position, earliest);
        at += 6;
        continue;
      }

      case op.LAZY_RUN: {
        const earliest = position + code[at + 3]!;
        if (earliest > length) break;
        if (scanRun(program, codePoints, at, position, earliest) < earliest) break;
        const latest = Math.min(length, position + code[at + 4]!);
        position = stretchRun(program, codePoints, at, earliest, latest);
        steps -= Math.trunc((Math.abs(position) - earliest) / SCANNED_PER_STEP);
        if (position < 0) break;
        if (position < latest) top = push(stack, top, frame.EXTEND_RUN, at, position, latest);
        at += 6;
        continue;
      }

      case op.LOOP_BEGIN: {
        const register = code[at + 1]!;
        top = push(stack, top, frame.RESTORE_PAIR, register, registers[register]!, registers[register + 1]!);
        registers[register] = -1;
        registers[register + 1] = -1;
        at = code[at + 2]!;
        continue;
      }

      case op.GREEDY_LOOP:
      case op.LAZY_LOOP: {
        steps -= 1;
        if (steps < 0) break;
        const register = code[at + 1]!;
        const rounds = registers[register]! + 1;
        if (rounds < code[at + 2]!) {
          top = push(stack, top, frame.RESTORE, register, rounds - 1, 0);
          registers[register] = rounds;
          at = code[at + 4]!;
          continue;
        }
        const lastPosition = registers[register + 1]!;
        // A round that begins where the one before it began would be empty again.
        const mayEnter = rounds < code[at + 3]! && position !== lastPosition;
        const codePoint = codePoints[position]!;
        if (!mayEnter || !passesFilter(program, code[at + 5]!, codePoint)) {
          at += 7;
          continue;
        }
        if (code[at] === op.LAZY_LOOP) {
          top = push(stack, top, frame.ENTER_ROUND, at, position, 0);
          at += 7;
          continue;
        }
        const kind = passesFilter(program, code[at + 6]!, codePoint) ? frame.LEAVE_LOOP : frame.LEAVE_ROUND;
        top = push(stack, top, kind, at, position, lastPosition);
        registers[register] = rounds;
        registers[register + 1] = position;
        at = code[at + 4]!;
        continue;
      }

      case op.POSSESSIVE_LOOP: {
        steps -= 1;
        if (steps < 0) break;
        const register = code[at + 1]!;
        const rounds = registers[register]! + 1;
        const isOptional = rounds >= code[at + 2]!;
        if (isOptional && (rounds >= code[at + 3]! || position === registers[register + 1]!)) {
          at = code[at + 4]!;
          continue;
        }
        top = push(
          stack,
          top,
          frame.RESTORE_PAIR,
          register + 1,
          registers[register + 1]!,
          registers[register + 2]!,
        );
        registers[register + 2] = top;
        if (isOptional) {
          registers[register + 1] = position;
          top = push(stack, top, frame.LEAVE_POSSESSIVE, code[at + 4]!, position, 0);
        }
        at += 5;
        continue;
      }

      case op.POSSESSIVE_NEXT: {
        const register = code[at + 1]!;
        top = cutChoices(stack, registers[register + 2]!, top);
        top = push(stack, top, frame.RESTORE, register, registers[register]!, 0);
        registers[register] = registers[register]! + 1;
        at = code[at + 2]!;
        continue;
      }

      case op.ATOMIC_BEGIN: {
        const register = code[at + 1]!;
        top = push(stack, top, frame.RESTORE, register, registers[register]!, 0);
        registers[register] = top;
        at += 2;
        continue;
      }

      case op.ATOMIC_END:
        top = cutChoices(stack, registers[code[at + 1]!]!, top);
        at += 2;
        continue;

      case op.LOOK_BEGIN: {
        const width = code[at + 2]!;
        if (position < width) break;
        const register = code[at + 1]!;
        top = push(stack, top, frame.RESTORE_PAIR, register, registers[register]!, registers[register + 1]!);
        registers[register] = top;
        registers[register + 1] = position;
        position -= width;
        at += 3;
        continue;
      }

      case op.LOOK_END: {
        const register = code[at + 1]!;
        top = cutChoices(stack, registers[register]!, top);
        position = registers[register + 1]!;
        at += 2;
        continue;
      }

      case op.NEGATIVE_LOOK_BEGIN: {
        const width = code[at + 2]!;
        if (position < width) {
          at = code[at + 3]!;
          continue;
        }
        const register = code[at + 1]!;
        top = push(stack, top, frame.RESTORE, register, registers[register]!, 0);
        registers[register] = top;
        top = push(stack, top, frame.RESUME, code[at + 3]!, position, 0);
        position -= width;
        at += 4;
        continue;
      }

      case op.NEGATIVE_LOOK_END:
        top = undoTo(registers[code[at + 1]!]!, stack, top, registers, code);
        break;

      case op.BACKREFERENCE:
      case op.FOLDED_BACKREFERENCE: {
        const end = backreferenceEnd(program, at, registers, codePoints, length, position);
        if (end < 0) break;
        steps -= Math.trunc((end - position) / SCANNED_PER_STEP);
        position = end;
        at += 3;
        continue;
      }

      case op.CONDITION:
        at = isGroupSet(program, registers, code[at + 1]!) ? at + 3 : code[at + 2]!;
        continue;

      case op.STRING_START:
      case op.LINE_START:
      case op.STRING_END:
      case op.FINAL_END:
      case op.LINE_END:
      case op.WORD_BOUNDARY:
        if (!anchorHolds(program, at, codePoints, length, position)) break;
        at += 3;
        continue;
    }

    steps -= 1;
    if (steps < 0) {
      machine.steps = steps;
      return OUT_OF_STEPS;
    }
    let unsettled = top;
    backtrack: for (;;) {
      if (top === 0) {
        machine.steps = steps;
        return NO_MATCH;
      }
      top -= frame.FRAME_SIZE;
      if (tracksMarks && stack[top]! > frame.LAST_UNDO) {
        top = settleMarks(program, registers, stack, top, unsettled);
        unsettled = top;
      }
      switch (stack[top]!) {
        case frame.RESTORE_STICKY:
        case frame.BARRIER:
          continue;

        case frame.RESTORE:
          registers[stack[top + 1]!] = stack[top + 2]!;
          continue;

        case frame.RESTORE_PAIR:
          registers[stack[top + 1]!] = stack[top + 2]!;
          registers[stack[top + 1]! + 1] = stack[top + 3]!;
          continue;

        case frame.LEAVE_ROUND:
        case frame.LEAVE_LOOP: {
          at = stack[top + 1]!;
          const register = code[at + 1]!;
          registers[register] = registers[register]! - 1;
          registers[register + 1] = stack[top + 3]!;
          if (stack[top] === frame.LEAVE_ROUND) continue;
          position = stack[top + 2]!;
          at += 7;
          break backtrack;
        }

        case frame.RESUME:
        case frame.LEAVE_POSSESSIVE:
          at = stack[top + 1]!;
          position = stack[top + 2]!;
          break backtrack;

        case frame.SHORTEN_RUN: {
          at = stack[top + 1]!;
          const earliest = stack[top + 3]!;
          position = shortenRun(program, codePoints, code[at + 5]!, stack[top + 2]! - 1, earliest);
          if (position < earliest) continue;
          if (position > earliest) {
            stack[top + 2] = position;
            top += frame.FRAME_SIZE;
          }
          at += 6;
          break backtrack;
        }

        case frame.EXTEND_RUN: {
          at = stack[top + 1]!;
          const end = stack[top + 2]!;
          if (scanRun(program, codePoints, at, end, end + 1) === end) continue;
          position = stretchRun(program, codePoints, at, end + 1, stack[top + 3]!);
          steps -= Math.trunc((Math.abs(position) - end) / SCANNED_PER_STEP);
          if (position < 0) continue;
          if (position < stack[top + 3]!) {
            stack[top + 2] = position;
            top += frame.FRAME_SIZE;
          }
          at += 6;
          break backtrack;
        }

        case frame.ENTER_ROUND: {
          at = stack[top + 1]!;
          position = stack[top + 2]!;
          const register = code[at + 1]!;
          const rounds = registers[register]!;
          top = push(stack, top, frame.RESTORE_PAIR, register, rounds, registers[register + 1]!);
          registers[register] = rounds + 1;
          registers[register + 1] = position;
          at = code[at + 4]!;
          break backtrack;
        }
      }
    }
  }
}
