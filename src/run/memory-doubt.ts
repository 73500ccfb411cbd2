import type { ReplyWarning } from '../agents/reply-warning.ts';
import type { JsonObject } from '../model/json.ts';
import type { Test } from '../model/test.ts';
import type { Grader } from './grade.ts';

/** Only where it matters: memory was there before, or a later step or an assertion looks at it. */
export function doubtMemory(
  test: Test,
  { before, after }: { readonly before: JsonObject; readonly after: JsonObject | undefined },
  grader: Pick<Grader, 'readsPart'>,
): ReplyWarning | undefined {
  if (after !== undefined) return undefined;
  const isLookedAt = test.steps.some(({ assertions }) => grader.readsPart(assertions, 'memory'));
  if (Object.keys(before).length === 0 && !isLookedAt) return undefined;
  return {
    code: 'no_memory',
    message: 'the agent returned no memory: it is empty from here on',
    hint: 'return `memory` with every reply',
  };
}
