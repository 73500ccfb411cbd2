import { isJsonObject, type Json, type JsonObject } from '../../src/base/model/json.ts';
import type { Message } from '../../src/base/model/message.ts';
import type { StepRecord } from '../../src/base/model/record.ts';
import type { RecordedToolCall } from '../../src/base/model/reply.ts';
import { valueText } from '../text/json/json-text.ts';

/** One message or action in a step. */
export type Entry =
  | {
      readonly kind: 'message';
      readonly role: string;
      readonly content: Json;
      readonly id?: string | undefined;
    }
  | { readonly kind: 'call'; readonly call: RecordedToolCall };

/** Others find a call by its identity: each step is read once. */
const known = new WeakMap<StepRecord, readonly Entry[]>();

/** What was said and done in a step, in order. An output that stands in a message is not repeated. */
export function conversationOf(step: StepRecord, isOutputSaid: boolean): readonly Entry[] {
  let entries = known.get(step);
  if (entries === undefined) known.set(step, (entries = entriesOf(step)));
  if (step.output === undefined || isOutputSaid) return entries;
  return [...entries, { kind: 'message', role: 'assistant', content: step.output }];
}

/** The calls of a step, in the order of the conversation. */
export function callsOf(step: StepRecord): readonly RecordedToolCall[] {
  return conversationOf(step, true).flatMap((entry) => (entry.kind === 'call' ? [entry.call] : []));
}

function entriesOf(step: StepRecord): readonly Entry[] {
  const asked = step.input_messages.flatMap(entriesOfMessage);
  const replied = withResults((step.output_messages ?? []).flatMap(entriesOfMessage));
  const calls = replied.some(({ kind }) => kind === 'call') ? [] : reportedCalls(step);
  return [...asked, ...calls, ...replied];
}

function entriesOfMessage(message: Message): readonly Entry[] {
  const { role, content, tool_calls: calls, tool_call_id } = message;
  const id = typeof tool_call_id === 'string' ? tool_call_id : undefined;
  const entries: Entry[] = [];
  if (content !== undefined && content !== null && content !== '')
    entries.push({ kind: 'message', role, content, id });
  if (Array.isArray(calls)) {
    for (const call of calls as readonly Json[])
      entries.push(isToolCall(call) ? { kind: 'call', call } : { kind: 'message', role, content: call });
  }
  if (entries.length === 0) entries.push({ kind: 'message', role, content: content ?? '' });
  return entries;
}

/** The result of a call stands with the call, and not a second time as a message. */
function withResults(entries: readonly Entry[]): readonly Entry[] {
  const found: Entry[] = [];
  const open: number[] = [];
  for (const entry of entries) {
    if (entry.kind === 'call') open.push(found.length);
    const place = entry.kind === 'message' && entry.role === 'tool' ? callFor(entry, found, open) : -1;
    if (place === -1) {
      found.push(entry);
      continue;
    }
    open.splice(open.indexOf(place), 1);
    const { call } = found[place] as Extract<Entry, { kind: 'call' }>;
    if (call.output === undefined)
      found[place] = {
        kind: 'call',
        call: { ...call, output: (entry as { readonly content: Json }).content },
      };
  }
  return found;
}

/** The call that a result belongs to, by its id or because it has the same result; -1 if none is known. */
function callFor(
  { content, id }: Extract<Entry, { kind: 'message' }>,
  entries: readonly Entry[],
  open: readonly number[],
): number {
  const text = valueText(content);
  return (
    open.find((place) => {
      const entry = entries[place];
      if (entry?.kind !== 'call') return false;
      const { call } = entry;
      if (id !== undefined && call.id !== undefined && id !== call.id) return false;
      return call.output === undefined ? id !== undefined && id === call.id : isSame(call.output, text);
    }) ?? -1
  );
}

function isSame(output: Json, text: string): boolean {
  return valueText(output) === text || JSON.stringify(output) === text.replaceAll(/\s*\n\s*/g, '');
}

function isToolCall(call: Json): call is JsonObject & { readonly tool: string } {
  return isJsonObject(call) && typeof call['tool'] === 'string';
}

function reportedCalls({ tool_calls, tools_used = [] }: StepRecord): readonly Entry[] {
  const calls = tool_calls ?? tools_used.map((tool) => ({ tool }));
  return calls.map((call) => ({ kind: 'call', call }));
}
