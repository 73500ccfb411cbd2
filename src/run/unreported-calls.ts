import type { Assertion } from '../model/assertion.ts';
import type { Evidence } from '../model/evidence.ts';
import type { RecordedToolCall } from '../model/reply.ts';

/** The same evidence, as if the agent had reported every call that was observed. */
export function withUnreportedCalls(evidence: Evidence): Evidence {
  const { reply } = evidence;
  const { unreported_calls: unreported = [], tools_used = [], tool_calls = [] } = reply;
  return {
    ...evidence,
    reply: {
      ...reply,
      tools_used: [...tools_used, ...unreported.map(({ tool }) => tool)],
      tool_calls: [...tool_calls, ...unreported],
      unreported_calls: undefined,
    },
  };
}

/** Whether an assertion does worse by the one score than by the other. */
export function isWorse(score: number, than: number, { negate }: Pick<Assertion, 'negate'>): boolean {
  return negate ? score > than : score < than;
}

export function describeUnreported({ reply: { unreported_calls: calls = [] } }: Evidence): string {
  return `this holds only for the calls that the agent reported, and it also called ${names(calls)}\nlet the agent report every call that it makes`;
}

function names(calls: readonly RecordedToolCall[]): string {
  return [...new Set(calls.map(({ tool }) => tool))].join(', ');
}
