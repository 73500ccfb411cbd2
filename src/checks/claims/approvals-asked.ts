import type { AssertionOutcome } from '../../base/model/evidence.ts';
import type { Json } from '../../base/model/json.ts';
import type { Reply } from '../../base/model/reply.ts';
import { defineClaim } from '../contract/claim-kind.ts';
import { unmeasured } from '../unmeasured.ts';
import { areSameTools, toolNames } from './tools-used.ts';
import { someTools } from './used-tools.ts';
import { isSameTool } from '../../base/match/same-tool.ts';

interface AskedClaim {
  readonly expected: Json;
  readonly holds: string;
  isMet(asked: readonly string[]): boolean;
}

/** Requests in the order in which they were made. One that a step answers was made in the step before. */
function compareAsked({ approvals_asked }: Reply, { expected, holds, isMet }: AskedClaim): AssertionOutcome {
  if (approvals_asked === undefined) return unmeasured(UNKNOWN);
  const asked = approvals_asked.filter(({ by }) => by !== 'step').map(({ tool }) => tool);
  const isHeld = isMet(asked);
  return { score: isHeld ? 1 : 0, message: isHeld ? holds : undefined, expected, actual: asked };
}

const UNKNOWN =
  'Assay does not see what this agent asks permission for\nlet it speak ACP (`provider: acp`), or ask with `context.approve` in a function';

export const approvalsAsked = defineClaim({
  kind: 'approvals_asked',
  doc: 'The agent asked permission for exactly these tools, in this order; `[]` means for none.',
  example: ['bash'],
  reads: ['approvals'],
  schema: toolNames,
  evaluate: ({ value }, { reply }) =>
    compareAsked(reply, {
      expected: value,
      holds: 'the agent asked permission for exactly these tools',
      isMet: (asked) => areSameTools(value, asked),
    }),
});

export const approvalsAskedIncludes = defineClaim({
  kind: 'approvals_asked.includes',
  doc: 'The agent asked permission for these tools, in any order, possibly for others too.',
  example: ['bash'],
  reads: ['approvals'],
  schema: someTools,
  evaluate: ({ value }, { reply }) =>
    compareAsked(reply, {
      expected: value,
      holds: 'the agent asked permission for these tools',
      isMet: (asked) => value.every((name) => asked.some((tool) => isSameTool(name, tool))),
    }),
});

export const approvalsAskedExcludes = defineClaim({
  kind: 'approvals_asked.excludes',
  doc: 'The agent asked permission for none of these tools.',
  example: ['delete_booking'],
  reads: ['approvals'],
  schema: someTools,
  evaluate: ({ value }, { reply }) =>
    compareAsked(reply, {
      expected: { $not: { $contains: value.length === 1 ? value[0]! : { $oneOf: value } } },
      holds: 'the agent asked permission for none of these tools',
      isMet: (asked) => !value.some((name) => asked.some((tool) => isSameTool(name, tool))),
    }),
});
