import type { ReplyPart } from '../../base/model/reply-requirements.ts';
import type { Test } from '../../base/model/test.ts';
import type { Grader } from './grade.ts';

/** Whether an assertion of the test makes a claim about tools. */
export function readsTools(test: Test, grader: Pick<Grader, 'readsPart'>): boolean {
  return readsPart(test, grader, 'tools');
}

export function readsPart(test: Test, grader: Pick<Grader, 'readsPart'>, part: ReplyPart): boolean {
  const groups = [test.assertions, ...test.steps.map(({ assertions }) => assertions)];
  return groups.some((assertions) => grader.readsPart(assertions, part));
}
