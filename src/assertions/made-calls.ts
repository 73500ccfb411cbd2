import type { RecordedToolCall, Reply } from '../model/reply.ts';

/** The tool calls an agent reported, if only by name. Undefined: it said nothing of its tools; empty: it used none. */
export function madeCalls({ tool_calls, tools_used }: Reply): readonly RecordedToolCall[] | undefined {
  return tool_calls ?? tools_used?.map((tool) => ({ tool }));
}
