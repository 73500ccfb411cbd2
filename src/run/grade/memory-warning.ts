import type { ReplyWarning } from '../../evidence/reply/reply-warning.ts';
import type { JsonObject } from '../../base/model/json.ts';
import type { Test } from '../../base/model/test.ts';
import type { Grader } from './grade.ts';

/** Only where it matters: there was memory before, or a later step or an assertion reads it. */
export function memoryWarning(
  test: Test,
  { before, after }: { readonly before: JsonObject; readonly after: JsonObject | undefined },
  grader: Pick<Grader, 'readsPart'>,
): ReplyWarning | undefined {
  if (after !== undefined) return undefined;
  const isLookedAt = test.steps.some(({ assertions }) => grader.readsPart(assertions, 'memory'));
  if (Object.keys(before).length === 0 && !isLookedAt) return undefined;
  return {
    code: 'no_memory',
    message: 'the agent returned no memory, so the memory is now empty',
    hint: 'return `memory` with every reply',
  };
}
