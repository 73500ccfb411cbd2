import { cutText } from './cut-text.ts';
import { allProblems } from './all-problems.ts';
import type { AttemptRecord } from './record.ts';
import { evaluatorWords, failedEvaluators, scoreWords } from './score-sums.ts';

const MAX_MESSAGE = 200;

/** Why an attempt got its verdict, in one line: `contains: expected "30 days", got "14 days", and 2 more`. */
export function attemptWords(record: AttemptRecord): string {
  const { verdict, skip_reason, steps, assertions } = record;
  if (verdict === 'not_graded') return 'nothing has judged it yet';
  if (verdict === 'skipped') return skip_reason ?? 'it did not run';
  const problems = allProblems(record);
  const [first] = problems;
  if (first !== undefined) {
    const more = problems.length === 1 ? '' : `, and ${problems.length - 1} more`;
    const isError = first.assertion === undefined && first.name.endsWith(' error');
    return `${isError ? '' : `${first.name}: `}${oneLine(first.message)}${more}`;
  }
  if (verdict !== 'passed') return scoreWords(record);
  const failed = failedEvaluators(record);
  if (failed.length > 0) {
    const more = failed.length === 1 ? '' : ` and ${failed.length - 1} more`;
    return `${scoreWords(record)}, although ${evaluatorWords(failed[0]!)}${more}`;
  }
  const count = steps.reduce((sum, step) => sum + step.assertions.length, assertions.length);
  return count === 0 ? 'no assertions' : `${count} of ${count} ${count === 1 ? 'assertion' : 'assertions'}`;
}

function oneLine(text: string): string {
  return cutText(text.trim().split('\n', 1)[0]!.trim(), MAX_MESSAGE);
}
