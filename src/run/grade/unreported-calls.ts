import type { Assertion } from '../../base/model/assertion.ts';
import type { Evidence } from '../../base/model/evidence.ts';
import { listCalls } from '../../base/model/list-calls.ts';
import type { RecordedToolCall, Reply } from '../../base/model/reply.ts';

/** Whether the agent reports other calls than were observed. */
export function hasOtherCalls({ unreported_calls, observed_calls }: Reply): boolean {
  return unreported_calls !== undefined || observed_calls !== undefined;
}

/** The same evidence, as if the agent had reported the calls that were observed. */
export function withObservedCalls(evidence: Evidence): Evidence {
  const { reply } = evidence;
  const { unreported_calls: unreported = [], tools_used = [], tool_calls = [] } = reply;
  const calls = reply.observed_calls ?? [...tool_calls, ...unreported];
  const used = [...tools_used, ...unreported.map(({ tool }) => tool)];
  return {
    ...evidence,
    reply: {
      ...reply,
      tools_used: reply.observed_calls?.map(({ tool }) => tool) ?? used,
      tool_calls: calls,
      unreported_calls: undefined,
      observed_calls: undefined,
    },
  };
}

/** Whether some calls are known, and others may be missing. */
export function hasPartialTrace({ reply }: Evidence): boolean {
  const { trace_gap, tool_calls, tools_used, unreported_calls, observed_calls } = reply;
  return (
    trace_gap?.kind === 'incomplete' &&
    (tool_calls ?? tools_used) !== undefined &&
    (unreported_calls ?? observed_calls) === undefined
  );
}

/** Whether an assertion does worse by the one score than by the other. */
export function isWorse(score: number, than: number, { negate }: Pick<Assertion, 'negate'>): boolean {
  return negate ? score > than : score < than;
}

export function describeOtherCalls({ reply }: Evidence): string {
  const { unreported_calls: calls = [], observed_calls: observed } = reply;
  if (observed !== undefined)
    return `the agent reports other calls than were observed, and this is true only in its report: it reports ${listCalls(reply.tool_calls ?? [])}, and the model requested ${listCalls(observed)}\nlet the agent report the calls that it makes, with their arguments`;
  return `this is true only for the calls that the agent reported, and it also called ${names(calls)}\nlet the agent report every call that it makes`;
}

function names(calls: readonly RecordedToolCall[]): string {
  return [...new Set(calls.map(({ tool }) => tool))].join(', ');
}
