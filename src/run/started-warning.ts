import type { ReplyWarning } from '../agents/reply-warning.ts';
import type { Test } from '../model/test.ts';
import type { Grader } from './grade.ts';

/** Only where it matters: an assertion makes a claim about tools, and they may have been called where nobody looked. */
export function startedWarning(
  test: Test,
  started: readonly string[],
  grader: Pick<Grader, 'readsPart'>,
): ReplyWarning | undefined {
  if (started.length === 0 || !readsTools(test, grader)) return undefined;
  return {
    code: 'unseen_program',
    message: `the agent started ${started.join(' and ')}, and Assay does not see what is done there: a tool that was called there counts as not called`,
    hint: 'if it calls a model, let the agent report those calls in `tools_used` or `tool_calls`',
  };
}

/** Whether an assertion of the test makes a claim about tools. */
export function readsTools(test: Test, grader: Pick<Grader, 'readsPart'>): boolean {
  const groups = [test.assertions, ...test.steps.map(({ assertions }) => assertions)];
  return groups.some((assertions) => grader.readsPart(assertions, 'tools'));
}
