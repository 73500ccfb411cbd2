import type { Json, JsonObject } from '../../src/model/json.ts';
import type { Message } from '../../src/model/message.ts';
import type { StepRecord } from '../../src/model/record.ts';
import type { RecordedToolCall } from '../../src/model/reply.ts';

/** One message or action in a step. */
export type Entry =
  | { readonly kind: 'message'; readonly role: string; readonly content: Json }
  | { readonly kind: 'call'; readonly call: RecordedToolCall };

/** What was said and done in a step, in order. An output that stands in a message is not repeated. */
export function conversationOf(step: StepRecord, isOutputSaid: boolean): readonly Entry[] {
  const told = step.input_messages.flatMap(entriesOf);
  const replied = (step.output_messages ?? []).flatMap(entriesOf);
  const calls = replied.some(({ kind }) => kind === 'call') ? [] : callsOf(step);
  const output: readonly Entry[] =
    step.output === undefined || isOutputSaid
      ? []
      : [{ kind: 'message', role: 'assistant', content: step.output }];
  return [...told, ...calls, ...replied, ...output];
}

function entriesOf(message: Message): readonly Entry[] {
  const { role, content, tool_calls: calls } = message;
  const entries: Entry[] = [];
  if (content !== undefined && content !== null && content !== '')
    entries.push({ kind: 'message', role, content });
  if (Array.isArray(calls)) {
    for (const call of calls as readonly Json[])
      entries.push(isToolCall(call) ? { kind: 'call', call } : { kind: 'message', role, content: call });
  }
  if (entries.length === 0) entries.push({ kind: 'message', role, content: content ?? '' });
  return entries;
}

function isToolCall(call: Json): call is JsonObject & { readonly tool: string } {
  return typeof call === 'object' && call !== null && typeof (call as JsonObject)['tool'] === 'string';
}

function callsOf({ tool_calls, tools_used = [] }: StepRecord): readonly Entry[] {
  const calls = tool_calls ?? tools_used.map((tool) => ({ tool }));
  return calls.map((call) => ({ kind: 'call', call }));
}
