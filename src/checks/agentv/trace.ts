import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';

/** The `trace` that programs of newer AgentV releases read: the messages, and an event for each of them and for each call. */
export function agentvTrace(messages: readonly JsonObject[], summary: JsonObject): JsonObject {
  const events: JsonObject[] = [];
  const add = (event: JsonObject): void => void events.push({ ...event, ordinal: events.length });
  for (const [index, { tool_calls: calls, ...message }] of messages.entries()) {
    const id = `message-${index}`;
    add({ event_id: id, type: 'message', message, metadata: { message_index: index } });
    for (const [position, call] of (isJsonList(calls) ? calls : []).entries())
      for (const event of callEvents(call, { id: `${id}-tool-${position}`, parent: id }))
        add({ ...event, metadata: { message_index: index, tool_index: position } });
  }
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  if (last !== -1) {
    const { tool_calls: _calls, ...message } = messages[last]!;
    const parent_event_id = `message-${last}`;
    add({ event_id: 'final-response', parent_event_id, type: 'final_response', message });
  }
  const { tool_calls_by_name, tool_names: _names, ...others } = summary;
  return {
    ...others,
    tool_calls: tool_calls_by_name ?? {},
    llm_call_count: messages.filter(({ role }) => role === 'assistant').length,
    messages,
    events,
  };
}

function callEvents(
  call: Json,
  { id, parent }: { readonly id: string; readonly parent: string },
): readonly JsonObject[] {
  if (!isJsonObject(call)) return [];
  const field = (from: string, to = from): JsonObject => {
    const value = ownValue(call, from);
    return value === undefined ? {} : { [to]: value };
  };
  const known = { ...field('tool', 'name'), ...field('id', 'call_id') };
  const status = { status: ownValue(call, 'status') ?? 'ok' };
  const tool = { ...known, ...field('input'), ...field('output'), ...status };
  const made = { event_id: id, parent_event_id: parent, type: 'tool_call', ...field('duration_ms'), tool };
  if (ownValue(call, 'output') === undefined) return [made];
  const result = { ...known, ...field('output'), ...status };
  return [made, { event_id: `${id}-result`, parent_event_id: id, type: 'tool_result', tool: result }];
}
