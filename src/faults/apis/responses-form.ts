import type { StreamEvent } from '../../cassettes/cassette.ts';
import { listAt, textAt, valueAt } from '../../evidence/foreign-fields.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import type { ApiForm, AskedAnswer, ChangeResult } from './api-form.ts';
import { openAiError } from './open-ai-error.ts';
import { changeContent, contentText } from './result-content.ts';

/** The Responses API. */
export const RESPONSES_FORM: ApiForm = {
  errorBody: openAiError,
  answerBody: (text, asked) => completed(asked, messageOf(text, asked)),
  answerEvents(text, asked) {
    const item = messageOf(text, asked);
    const [part] = item['content'] as readonly JsonObject[];
    const begun = { ...completed(asked, item), status: 'in_progress', output: [], usage: null };
    const place = { item_id: item['id']!, output_index: 0, content_index: 0 };
    const events: readonly JsonObject[] = [
      { type: 'response.created', response: begun },
      { type: 'response.in_progress', response: begun },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { ...item, status: 'in_progress', content: [] },
      },
      { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
      { type: 'response.output_text.delta', ...place, delta: text, logprobs: [] },
      { type: 'response.output_text.done', ...place, text, logprobs: [] },
      { type: 'response.content_part.done', ...place, part: part! },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: completed(asked, item) },
    ];
    return events.map((event, sequence_number): StreamEvent => ({
      event: event['type'] as string,
      data: { ...event, sequence_number },
    }));
  },
  mapResults(request, change) {
    const items = listAt(request, 'input');
    return items === undefined
      ? request
      : { ...request, input: items.map((item) => changeItem(item, change)) };
  },
};

function messageOf(text: string, { id }: AskedAnswer): JsonObject {
  return {
    type: 'message',
    id: `msg_${id}`,
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
  };
}

function completed({ id, model }: AskedAnswer, item: JsonObject): JsonObject {
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: 1,
    status: 'completed',
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    model,
    output: [item],
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    usage: {
      input_tokens: 0,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 0,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 0,
    },
  };
}

function changeItem(item: Json, change: ChangeResult): Json {
  if (!isJsonObject(item) || textAt(item, 'type')?.endsWith('_call_output') !== true) return item;
  const output = valueAt(item, 'output');
  const text = contentText(output);
  if (text === undefined) return item;
  const changed = change({ id: textAt(item, 'call_id'), text });
  return changed === undefined ? item : { ...item, output: changeContent(output, changed, 'input_text') };
}
