import type { Place } from './place.ts';
import type { AssertionRecord, AttemptRecord } from './record.ts';
import { formatScore } from './score-text.ts';

/** Something that went wrong in an attempt, and where. */
export interface AttemptProblem extends Place {
  /** The assertion's name, or the kind of the error: `output.equals`, `timeout error`. */
  readonly name: string;
  readonly message: string;
  /** The assertion that did not pass, if it is one. */
  readonly assertion?: AssertionRecord | undefined;
}

/** Everything that went wrong, in the order of the steps. */
export function allProblems(record: AttemptRecord): readonly AttemptProblem[] {
  if (record.verdict !== 'failed' && record.verdict !== 'error') return [];
  const { file, line, column } = record;
  const problems: AttemptProblem[] = [];
  for (const step of record.steps) {
    problems.push(...badOnes(step.assertions, record));
    if (step.error !== undefined)
      problems.push({ file, line: step.line, column: step.column ?? 1, ...describe(step.error) });
  }
  problems.push(...badOnes(record.assertions, record));
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
      ? `every assertion passes, but the score ${formatScore(score)} is below the threshold`
      : undefined;
  return message === undefined ? undefined : { file, line, column, name: 'score', message };
}

function hasNoWeight(assertions: readonly AssertionRecord[]): boolean {
  const evaluators = assertions.filter(({ form }) => form === 'evaluator');
  return evaluators.length > 0 && evaluators.every(({ weight }) => weight === 0);
}

function badOnes(assertions: readonly AssertionRecord[], record: AttemptRecord): readonly AttemptProblem[] {
  return assertions
    .filter(({ passed }) => passed !== true)
    .map((assertion) => ({
      ...problemPlace(assertion, record),
      name: assertionLabel(assertion),
      message: problemMessage(assertion, record),
      assertion,
    }));
}

/** Where a test is that failed: its own line of a dataset, not that of the evaluator which all lines share. */
export function problemPlace(assertion: AssertionRecord, record: AttemptRecord): Place {
  const { file, line, column } = isOwnAssertion(assertion, record) ? assertion : record;
  return { file, line, column };
}

/** Written in the file of the test, or in that of its case. */
export function isOwnAssertion({ file }: AssertionRecord, record: AttemptRecord): boolean {
  return file === record.file || file === record.row?.file;
}

/** An author's own name does not say what is checked: `offers (contains)`. */
export function assertionLabel({ name, kind }: AssertionRecord): string {
  return name.startsWith(kind) ? name : `${name} (${kind})`;
}

/** Why an assertion did not pass; what was judged, or scored in part, with its score. */
export function problemMessage(
  { score = 1, required, error, message, judge_calls }: AssertionRecord,
  { threshold }: Pick<AttemptRecord, 'threshold'>,
): string {
  if (error !== undefined) return error.message;
  const isJudged = judge_calls !== undefined || (score > 0 && score < 1);
  if (!isJudged || threshold === undefined) return message;
  const needed = typeof required === 'number' ? `required ${required}` : `threshold ${threshold}`;
  return `score ${Number(formatScore(score, { threshold }))}, ${needed}: ${message}`;
}

function describe({
  kind,
  message,
}: NonNullable<AttemptRecord['error']>): Pick<AttemptProblem, 'name' | 'message'> {
  return { name: `${kind} error`, message };
}
