import type { SeenCalls } from '../../evidence/observe/observation.ts';
import type { Test } from '../../base/model/test.ts';
import type { Grader } from '../grade/grade.ts';
import { readsTools } from '../grade/reads-tools.ts';

interface Judged {
  readonly test: Test;
  readonly grader: Pick<Grader, 'readsPart'>;
}

/**
 * An earlier step called a model after its reply, when it was judged already: what it did is not what was judged. Undefined: none did, or
 * no claim depends on it.
 */
export function lateCall(
  seen: SeenCalls | undefined,
  step: number,
  { test, grader }: Judged,
): string | undefined {
  const late = seen?.exchanges.find((exchange) => exchange.step < step);
  if (late === undefined || !readsTools(test, grader)) return undefined;
  return `step ${late.step} called a model after its reply, so the claims about its tools were made too early\nlet the agent wait for all of its work before it replies`;
}
