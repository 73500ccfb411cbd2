import { PatternError } from '../pattern-error.ts';
import type { Program } from '../program/program.ts';
import { BudgetError } from './budget-error.ts';
import { classHas, passesFilter } from './character-tests.ts';
import { holdsClasses, holdsTexts } from './holds-required.ts';
import { clearRegisters, type Machine, newMachine, shrink } from './machine.ts';
import { NO_MATCH, OUT_OF_STEPS, runProgram } from './run-program.ts';
import { decodeSubject } from './subject-text.ts';

/** Offsets in code points. */
export interface Match {
  readonly start: number;
  readonly end: number;
  /** By group, from group 1 on: its span, or null if it took no part. */
  readonly groups: readonly (readonly [number, number] | null)[];
}

/** Finds the first match in the subject. */
export function searchProgram(
  program: Program,
  subject: string,
  stepBudget: number | undefined,
): Match | null {
  if (!holdsTexts(program, subject)) return null;
  decodeSubject(subject, machine.text);
  if (!holdsClasses(program, machine.text)) return null;
  clearRegisters(machine, program.registerCount);
  const budget = stepBudget ?? DEFAULT_STEPS + machine.text.length * STEPS_PER_CHARACTER;
  machine.steps = budget;
  try {
    return findMatch(program, subject, budget);
  } finally {
    shrink(machine);
  }
}

/** About a tenth of a second of futile backtracking. */
const DEFAULT_STEPS = 2_000_000;

/** Lets a pattern that does a fair amount of work for each character end, however long the subject. */
const STEPS_PER_CHARACTER = 4;

/** Searches do not overlap, so one memory serves them all. */
const machine: Machine = newMachine();

function findMatch(program: Program, subject: string, budget: number): Match | null {
  let start = nextStart(program, subject, 0);
  while (start >= 0) {
    const end = runProgram(program, machine, start);
    if (end >= 0) return { start, end, groups: spans(program) };
    if (end === OUT_OF_STEPS) throw new BudgetError(budget);
    start = nextStart(program, subject, start + 1);
  }
  return null;
}

/** The first place from `from` on where a match can begin, or NO_MATCH. */
function nextStart(program: Program, subject: string, from: number): number {
  const { prefix, filter, characters, isAnchored, minWidth, leadingRun } = program.start;
  const { codePoints, length, hasOnlyBmp } = machine.text;
  const last = isAnchored ? Math.min(0, length - minWidth) : length - minWidth;
  if (from > last) return NO_MATCH;
  if (filter < 0 && leadingRun.length === 0) return from;
  if (prefix !== '' && hasOnlyBmp && !isAnchored) return subject.indexOf(prefix, from);
  for (let start = from; start <= last; start += 1) {
    if (!passesFilter(program, filter, codePoints[start]!)) continue;
    if (start > 0 && isInsideRun(program, codePoints[start - 1]!)) continue;
    if (characters < 0 || classHas(program, program.classTables, characters, codePoints[start]!)) {
      return start;
    }
  }
  return NO_MATCH;
}

function isInsideRun(program: Program, before: number): boolean {
  const { leadingRun } = program.start;
  if (leadingRun.length === 0) return false;
  for (const number of leadingRun) {
    if (!classHas(program, program.classTables, number, before)) return false;
  }
  return true;
}

/** CPython raises this too, for marks that failed attempts in a possessive loop have left behind. */
const WRONG_SPAN = 'The span of capturing group is wrong, please report a bug for the re module.';

function spans({ groupCount, lastMarkRegister }: Program): ([number, number] | null)[] {
  const { registers } = machine;
  const groups: ([number, number] | null)[] = [];
  for (let group = 0; group < groupCount; group += 1) {
    const start = registers[group * 2]!;
    const end = registers[group * 2 + 1]!;
    const isSet =
      start >= 0 && end >= 0 && (lastMarkRegister < 0 || group * 2 < registers[lastMarkRegister]!);
    if (isSet && start > end) throw new PatternError(WRONG_SPAN);
    groups.push(isSet ? [start, end] : null);
  }
  return groups;
}
