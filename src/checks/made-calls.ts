import type { OutcomeWarning } from '../base/model/evidence.ts';
import type { JsonObject } from '../base/model/json.ts';
import type { RecordedToolCall, Reply } from '../base/model/reply.ts';

/** The tool calls of a reply, if only by name. Undefined: they are not known; empty: there were none. */
export function madeCalls({
  trace_gap,
  tool_calls,
  tools_used,
}: Reply): readonly RecordedToolCall[] | undefined {
  return trace_gap === undefined ? (tool_calls ?? tools_used?.map((tool) => ({ tool }))) : undefined;
}

/** The same, also where more calls than these may have been made. */
export function knownCalls(reply: Reply): readonly RecordedToolCall[] | undefined {
  return madeCalls(reply.trace_gap?.kind === 'incomplete' ? { ...reply, trace_gap: undefined } : reply);
}

/** The calls as JSON: what was not reported of one is left out when it is printed. */
export function plainCalls(calls: readonly RecordedToolCall[]): readonly JsonObject[] {
  return calls as readonly object[] as readonly JsonObject[];
}

/** Why the tool calls of a reply are not known, and how to report them. */
export function unknownCalls({ trace_gap: gap }: Reply): string {
  switch (gap?.kind) {
    case 'unreadable':
      return `\`${gap.at}\` of the reply contains a tool call in a form that Assay does not read (${gap.form})\nlet the agent report \`tools_used\` or \`tool_calls\` as well`;
    case 'contradictory':
      return `${gap.at} of the reply disagree about the tool calls\nlet the agent report the same calls in both, with the same arguments and in the same order`;
    case 'incomplete':
      return `not all of what the agent did is known: ${gap.at}: ${gap.form}\n${HOW_TO_REPORT}`;
    case 'unattributed':
      return `a model call came that may be of this attempt or of another one\nlet the agent make its model calls itself and wait for them before it replies, and run with --workers 1 if they go through a shared queue`;
    default:
      return `the agent did not report its tool calls, and no model call was observed, so they are unknown\n${HOW_TO_REPORT}`;
  }
}

const HOW_TO_REPORT =
  'let it return `tools_used` (`[]` for none) or `tool_calls` (over HTTP: map them with `reply:`), or let Assay observe its model calls: a function that uses `fetch` or `node:http`, a program with `observe: true` (Amazon Bedrock: only in a function)';

/** Why what an assertion compares of calls is not known, and how to report it. */
export function unknownPart(part: 'input' | 'output', tools: readonly string[]): string {
  const what = part === 'input' ? 'arguments' : 'results';
  const none = part === 'input' ? ' (`{}` for none)' : '';
  return `the agent did not report the ${what} of its calls to ${[...new Set(tools)].join(', ')}, so they cannot be compared\nlet it return \`tool_calls\` with the \`${part}\` of each call${none}`;
}

/** The names of the tools that were used, for step tests: an object with `output` that leaves them out says that there were none. */
export function usedTools(
  reply: Reply,
): { readonly names: readonly string[]; readonly warnings?: readonly OutcomeWarning[] } | undefined {
  if (reply.trace_gap?.kind === 'left_out') return { names: [], warnings: [NO_TRACE] };
  if (reply.trace_gap !== undefined || reply.tools_used === undefined) return undefined;
  return { names: reply.tools_used };
}

const NO_TRACE: OutcomeWarning = {
  code: 'no_trace',
  message:
    'the agent did not report which tools it used, and no model call was observed: this is treated as none',
  hint: 'return `tools_used` with every reply, `[]` for none',
  isAboutEvidence: true,
};
