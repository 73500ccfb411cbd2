import type { Json, JsonObject } from '../../src/model/json.ts';
import type { Message } from '../../src/model/message.ts';
import type { StepRecord } from '../../src/model/record.ts';
import type { RecordedToolCall } from '../../src/model/reply.ts';
import { parseExactJson } from '../source/parse-exact-json.ts';
import { jsonText } from '../text/json-text.ts';

/** One thing that was said or done in a step. */
export type Entry =
  | { readonly kind: 'message'; readonly role: string; readonly content: Json }
  | { readonly kind: 'call'; readonly call: RecordedToolCall };

/** What was said and done in a step, in order. */
export function conversationOf(step: StepRecord): readonly Entry[] {
  const told = step.input_messages.flatMap(entriesOf);
  const replied = (step.output_messages ?? []).flatMap(entriesOf);
  const calls = replied.some(({ kind }) => kind === 'call') ? [] : callsOf(step);
  return [...told, ...calls, ...replied, ...outputOf(step, replied)];
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

/** Agents that return messages say their output in the last of them, as a rule. */
function outputOf({ output }: StepRecord, replied: readonly Entry[]): readonly Entry[] {
  if (output === undefined) return [];
  const isSaid = replied.some((entry) => entry.kind === 'message' && isSame(entry.content, output));
  return isSaid ? [] : [{ kind: 'message', role: 'assistant', content: output }];
}

/** Parts are the output as text, other structured content as JSON. */
function isSame(content: Json, output: string): boolean {
  if (typeof content === 'string') return content === output;
  if (Array.isArray(content) && textOfParts(content) === output) return true;
  try {
    return jsonText(parseExactJson(output) as Json) === jsonText(content);
  } catch {
    return false;
  }
}

function textOfParts(parts: readonly Json[]): string {
  const texts = parts.map((part) => {
    const { value, text } = typeof part === 'object' && part !== null ? (part as JsonObject) : {};
    return value ?? text;
  });
  return texts.filter((text) => typeof text === 'string').join('\n\n');
}
