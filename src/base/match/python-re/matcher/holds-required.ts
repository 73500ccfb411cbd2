import type { Program } from '../program/program.ts';
import { classHas } from './character-tests.ts';
import type { SubjectText } from './subject-text.ts';

/** Whether the texts that every match contains are in the subject, one after the other. */
export function holdsTexts({ start }: Program, subject: string): boolean {
  let from = 0;
  for (const text of start.requiredTexts) {
    const found = subject.indexOf(text, from);
    if (found < 0) return false;
    from = found + text.length;
  }
  return true;
}

/** The same of the runs of classes. */
export function holdsClasses(program: Program, text: SubjectText): boolean {
  let from = 0;
  for (const classes of program.start.requiredClasses) {
    const found = findClasses(program, text, classes, from);
    if (found < 0) return false;
    from = found + classes.length;
  }
  return true;
}

function findClasses(
  program: Program,
  { codePoints, length }: SubjectText,
  classes: readonly number[],
  from: number,
): number {
  const { classTables } = program;
  const last = length - classes.length;
  for (let start = from; start <= last; start += 1) {
    let count = 0;
    while (
      count < classes.length &&
      classHas(program, classTables, classes[count]!, codePoints[start + count]!)
    )
      count += 1;
    if (count === classes.length) return start;
  }
  return -1;
}
