import type { Place } from './place.ts';
import type { AssertionRecord, AttemptRecord } from './record.ts';

/** Something that went wrong in an attempt, and where. */
export interface AttemptProblem extends Place {
  /** The assertion's name, or the kind of the error: `output.equals`, `timeout error`. */
  readonly name: string;
  readonly message: string;
}

/** Everything that went wrong, in the order of the steps. */
export function allProblems(record: AttemptRecord): readonly AttemptProblem[] {
  if (record.verdict === 'passed' || record.verdict === 'skipped') return [];
  const { file, line, column } = record;
  const problems: AttemptProblem[] = [];
  for (const step of record.steps) {
    problems.push(...badOnes(step.assertions));
    if (step.error !== undefined)
      problems.push({ file, line: step.line, column: 1, ...describe(step.error) });
  }
  problems.push(...badOnes(record.assertions));
  if (record.error !== undefined && !problems.some(({ message }) => message === record.error?.message))
    problems.push({ file, line, column, ...describe(record.error) });
  return problems;
}

function badOnes(assertions: readonly AssertionRecord[]): readonly AttemptProblem[] {
  return assertions
    .filter(({ passed }) => passed !== true)
    .map(({ file, line, column, name, message, error }) => ({
      file,
      line,
      column,
      name,
      message: error?.message ?? message,
    }));
}

function describe({
  kind,
  message,
}: NonNullable<AttemptRecord['error']>): Pick<AttemptProblem, 'name' | 'message'> {
  return { name: `${kind} error`, message };
}
