import type { StreamEvent } from '../../cassettes/cassette.ts';
import { listAt, textAt, valueAt } from '../../evidence/foreign-fields.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import type { ApiForm, AskedAnswer, ChangeResult } from './api-form.ts';
import { changeContent, contentText } from './result-content.ts';

/** Anthropic's messages. */
export const ANTHROPIC_FORM: ApiForm = {
  errorBody: (status, message) => ({
    type: 'error',
    error: {
      type: KINDS.get(status) ?? (status >= 500 ? 'api_error' : 'invalid_request_error'),
      message,
    },
  }),
  answerBody: (text, asked) => ({
    ...messageOf(asked),
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
  }),
  answerEvents(text, asked) {
    const events: readonly JsonObject[] = [
      { type: 'message_start', message: messageOf(asked) },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: USAGE },
      { type: 'message_stop' },
    ];
    return events.map((data): StreamEvent => ({ event: data['type'] as string, data }));
  },
  mapResults: (request, change) => ({
    ...request,
    messages: (listAt(request, 'messages') ?? []).map((message) => changeMessage(message, change)),
  }),
};

const KINDS: ReadonlyMap<number, string> = new Map([
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [529, 'overloaded_error'],
]);

const USAGE = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

function messageOf({ id, model }: AskedAnswer): JsonObject {
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: USAGE,
  };
}

function changeMessage(message: Json, change: ChangeResult): Json {
  const blocks = isJsonObject(message) ? listAt(message, 'content') : undefined;
  if (blocks === undefined || textAt(message as JsonObject, 'role') !== 'user') return message;
  return { ...(message as JsonObject), content: blocks.map((block) => changeBlock(block, change)) };
}

function changeBlock(block: Json, change: ChangeResult): Json {
  if (!isJsonObject(block) || textAt(block, 'type') !== 'tool_result') return block;
  const content = valueAt(block, 'content');
  const text = contentText(content);
  if (text === undefined) return block;
  const changed = change({ id: textAt(block, 'tool_use_id'), text });
  return changed === undefined ? block : { ...block, content: changeContent(content, changed) };
}
