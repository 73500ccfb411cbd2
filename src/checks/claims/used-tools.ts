import { isSameTool } from '../../base/match/same-tool.ts';
import { assignCalls, weighOnce } from '../../base/match/trajectory/assign-calls.ts';
import type { AssertionOutcome } from '../../base/model/evidence.ts';
import type { Json } from '../../base/model/json.ts';
import type { Reply } from '../../base/model/reply.ts';
import { list } from '../../base/schema/list.ts';
import { refine } from '../../base/schema/refine.ts';
import { text } from '../../base/schema/values.ts';
import { unknownCalls } from '../made-calls.ts';
import { unmeasured } from '../unmeasured.ts';
import { warnAboutVacuousCheck } from '../vacuous-check.ts';

/** Names of tools for a claim that says nothing without one. */
export const someTools = refine(
  list(text({ nonEmpty: true, label: 'tool names' })),
  (authored, reader, names) => {
    if (names.length === 0)
      warnAboutVacuousCheck(authored, reader, {
        why: 'the list contains no tool',
        hint: 'name a tool, or remove it',
      });
  },
);

interface ToolClaim {
  /** What is expected, for people. */
  readonly wanted: Json;
  /** What is wrong with the tools that were used; empty if the claim holds. */
  problem(used: readonly string[]): string;
  readonly holds: string;
}

/**
 * The outcome of a claim about the names of the used tools. Without them it has none: that tools which were left out count as none
 * is a rule of `tools_used` and `expected` only.
 */
export function compareUsedTools(reply: Reply, { wanted, problem, holds }: ToolClaim): AssertionOutcome {
  const used = reply.trace_gap === undefined ? reply.tools_used : undefined;
  if (used === undefined) return unmeasured(unknownCalls(reply));
  const wrong = problem(used);
  return {
    score: wrong === '' ? 1 : 0,
    message: wrong === '' ? holds : undefined,
    expected: wanted,
    actual: used,
  };
}

/** The wanted tools for which no call is left: a tool that is named twice must be used twice. */
export function unusedTools(wanted: readonly string[], used: readonly string[]): readonly string[] {
  const pairs = assignCalls(
    weighOnce({
      expectedCount: wanted.length,
      actualCount: used.length,
      gain: (i, j) => (isSameTool(wanted[i]!, used[j]!) ? 1 : 0),
    }),
  );
  const found = new Set(pairs.map(({ expected }) => expected));
  return wanted.filter((_, index) => !found.has(index));
}
