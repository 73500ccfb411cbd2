import type { Place } from './place.ts';
import type { AssertionRecord, AttemptRecord } from './record.ts';
import { formatScore } from './score-text.ts';

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
      problems.push({ file, line: step.line, column: step.column ?? 1, ...describe(step.error) });
  }
  problems.push(...badOnes(record.assertions));
  if (record.error !== undefined && !problems.some(({ message }) => message === record.error?.message))
    problems.push({ file, line, column, ...describe(record.error) });
  const reason = scoreProblem(record);
  return reason === undefined ? problems : [...problems, reason];
}

/** Why a test failed that no assertion explains: its score. */
export function scoreProblem(record: AttemptRecord): AttemptProblem | undefined {
  if (record.verdict !== 'failed') return undefined;
  const { file, line, column, score = 0 } = record;
  const groups = [...record.steps, record].map(({ assertions }) => assertions);
  const message = groups.some(hasNoWeight)
    ? 'no evaluator has a weight, so the score is 0: give at least one of them a `weight` above 0'
    : groups.flat().every(({ passed }) => passed === true)
      ? `every assertion holds, but the score ${formatScore(score)} is below the threshold`
      : undefined;
  return message === undefined ? undefined : { file, line, column, name: 'score', message };
}

function hasNoWeight(assertions: readonly AssertionRecord[]): boolean {
  const evaluators = assertions.filter(({ form }) => form === 'evaluator');
  return evaluators.length > 0 && evaluators.every(({ weight }) => weight === 0);
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
