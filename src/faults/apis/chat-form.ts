import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { listAt, objectAt, textAt, valueAt } from '../../evidence/foreign-fields.ts';
import type { ApiForm, AskedAnswer, ChangeResult } from './api-form.ts';
import { openAiError } from './open-ai-error.ts';
import { changeContent, contentText } from './result-content.ts';

/** Chat completions. */
export const CHAT_FORM: ApiForm = {
  errorBody: openAiError,
  answerBody: (text, asked) => ({
    ...headOf(asked),
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: USAGE,
  }),
  answerEvents(text, asked) {
    const chunk = (more: JsonObject): JsonObject => ({
      ...headOf(asked),
      object: 'chat.completion.chunk',
      ...more,
    });
    const say = (delta: JsonObject, finish_reason: Json = null): JsonObject =>
      chunk({ choices: [{ index: 0, delta, finish_reason }] });
    const wantsUsage = objectAt(asked.request, 'stream_options')?.['include_usage'] === true;
    return [
      { data: say({ role: 'assistant', content: '' }) },
      { data: say({ content: text }) },
      { data: say({}, 'stop') },
      ...(wantsUsage ? [{ data: chunk({ choices: [], usage: USAGE }) }] : []),
      { text: '[DONE]' },
    ];
  },
  mapResults: (request, change) => ({
    ...request,
    messages: (listAt(request, 'messages') ?? []).map((message) => changeMessage(message, change)),
  }),
};

const USAGE = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

function headOf({ id, model }: AskedAnswer): JsonObject {
  return { id: `chatcmpl-${id}`, created: 1, model };
}

function changeMessage(message: Json, change: ChangeResult): Json {
  if (!isJsonObject(message) || !['tool', 'function'].includes(textAt(message, 'role') ?? '')) return message;
  const content = valueAt(message, 'content');
  const text = contentText(content);
  if (text === undefined) return message;
  const changed = change({ id: textAt(message, 'tool_call_id'), tool: textAt(message, 'name'), text });
  return changed === undefined ? message : { ...message, content: changeContent(content, changed) };
}
