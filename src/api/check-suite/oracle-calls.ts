import { callsWithout } from '../../assertions/union-calls.ts';
import type { RecordedToolCall } from '../../model/reply.ts';
import type { WantedReply } from '../../model/wanted-reply.ts';

/** The calls of a reply that has what is wanted of it. */
export function oracleCalls({ tools_used, calls = [] }: WantedReply): readonly RecordedToolCall[] {
  if (tools_used === undefined) return calls;
  const left = [...calls];
  return tools_used.map((tool) => {
    const found = left.findIndex((call) => call.tool === tool);
    return found === -1 ? { tool } : left.splice(found, 1)[0]!;
  });
}

/** What is wanted of all steps together, as what the last step must add to those before. */
export function leftForLastStep(wanted: WantedReply, earlier: readonly RecordedToolCall[]): WantedReply {
  const { calls, tools_used } = wanted;
  if (calls === undefined && tools_used === undefined) return wanted;
  const names = (list: readonly string[]): readonly RecordedToolCall[] => list.map((tool) => ({ tool }));
  return {
    ...wanted,
    calls: callsWithout(calls ?? [], earlier),
    tools_used:
      tools_used === undefined ? undefined : callsWithout(names(tools_used), earlier).map(({ tool }) => tool),
  };
}
