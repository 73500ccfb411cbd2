import { isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import { isMarkedItem, OPENAI_RESPONSE_ITEMS } from '../dialects/openai-response-items.ts';
import { listAt, numberAt, objectAt, textAt, valueAt, objectsAt } from '../foreign-fields.ts';
import { openaiResponsesUsage } from '../provider-usage.ts';
import { describeError } from './describe-error.ts';
import {
  hasRole,
  type AskedAnswer,
  type AssembledStream,
  type ChangeResult,
  type Finish,
  type ModelApi,
  type ModelResponse,
  type StreamEvent,
} from './model-api.ts';
import { openAiError } from './open-ai-error.ts';
import { isStructured } from './openai-chat.ts';
import { changeContent, contentText, mapItems } from './result-content.ts';

/** The Responses API of OpenAI and Azure. */
export const OPENAI_RESPONSES: ModelApi = {
  name: 'responses',
  path: /\/responses$/,
  // Other services have a path `/responses` too.
  matchesBody: (body) =>
    ('model' in body || 'prompt' in body) &&
    ['input', 'prompt', 'previous_response_id', 'conversation'].some((key) => key in body),
  dialect: OPENAI_RESPONSE_ITEMS,
  readRequest: (body) => ({
    model: textAt(body, 'model'),
    isStreamed: body['stream'] === true,
    system: valueAt(body, 'instructions'),
    messages: readInput(valueAt(body, 'input')),
    tools: objectsAt(body, 'tools').flatMap((tool) => textAt(tool, 'name', 'type') ?? []),
    hasHiddenTools: 'prompt' in body,
    isToolForced: isForced(valueAt(body, 'tool_choice')),
    isStructured: isStructured(objectAt(objectAt(body, 'text'), 'format')),
    previousResponse: textAt(body, 'previous_response_id'),
    conversation: textAt(body, 'conversation') ?? textAt(objectAt(body, 'conversation'), 'id'),
  }),
  readResponse,
  assembleStream: assembleResponsesStream,
  isFromModel: (item) => hasRole(item, 'assistant') || MODEL_ITEM.test(textAt(item, 'type') ?? ''),
  isFromUser: (item) => hasRole(item, 'user'),
  growth: { list: 'input', parts: ['content'], ids: ['call_id', 'approval_request_id'] },
  asReply: {
    name: 'an OpenAI response',
    isBody: (body) =>
      listAt(body, 'output') !== undefined && (textAt(body, 'object') === 'response' || holdsItems(body)),
    isEvent: (event) =>
      textAt(event, 'type')?.startsWith('response.') === true &&
      (objectAt(event, 'response', 'item') !== undefined || 'output_index' in event),
    isKnownEvent: (event) => /^(response\.|error$|keepalive$)/.test(textAt(event, 'type') ?? ''),
  },
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
  mapResults: (request, change) => mapItems(request, 'input', (item) => changeItem(item, change)),
};

/** A reference to an item that the provider keeps. SDKs send references only to items of the model. */
const MODEL_ITEM = /^(?:reasoning|item_reference|program|.*_call|mcp_list_tools|mcp_approval_request)$/;

function readInput(input: Json | undefined): readonly Json[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  return Array.isArray(input) ? (input as readonly Json[]) : [];
}

function isForced(choice: Json | undefined): boolean {
  if (isJsonObject(choice)) return textAt(choice, 'type') !== 'allowed_tools';
  return choice === 'required';
}

function readResponse(body: JsonObject): ModelResponse | undefined {
  const output = listAt(body, 'output');
  const status = textAt(body, 'status');
  const error = valueAt(body, 'error');
  if (output === undefined && error === undefined) return undefined;
  const reason = textAt(objectAt(body, 'incomplete_details'), 'reason');
  const items = output ?? [];
  return {
    id: textAt(body, 'id'),
    model: textAt(body, 'model'),
    messages: items,
    finish: finishOf(items, status === 'incomplete' ? (reason ?? 'max_output_tokens') : undefined),
    usage: openaiResponsesUsage(objectAt(body, 'usage')),
    isRefused: reason === 'content_filter' || items.some(isRefusal),
    failure: error === undefined ? FAILED.get(status ?? '') : describeError(error),
    isPending: status === 'queued' || status === 'in_progress',
  };
}

const FAILED: ReadonlyMap<string, string> = new Map([
  ['failed', 'it failed'],
  ['cancelled', 'it was cancelled'],
  ['queued', 'it runs in the background'],
  ['in_progress', 'it runs in the background'],
]);

function finishOf(items: readonly Json[], cut: string | undefined): Finish {
  if (cut !== undefined) return cut === 'content_filter' ? 'blocked' : 'length';
  const asks = items.some((item) => PROGRAM_CALL.test(textAt(item, 'type') ?? ''));
  return asks ? 'tool_calls' : 'stop';
}

/** Calls that the program runs. The others are run by the provider. */
const PROGRAM_CALL = /^(?:function|custom_tool|computer|local_shell|shell|apply_patch)_call$/;

function isRefusal(item: Json): boolean {
  return isJsonObject(item) && objectsAt(item, 'content').some((part) => part['type'] === 'refusal');
}

/** The last event has the whole response. Some servers leave its `output` empty: then the earlier items count. */
function assembleResponsesStream(events: readonly JsonObject[]): AssembledStream {
  let response: JsonObject = {};
  let isComplete = false;
  let failure: string | undefined;
  const items = new Map<number, JsonObject>();
  for (const event of events) {
    response = objectAt(event, 'response') ?? response;
    switch (event['type']) {
      case 'response.completed':
      case 'response.incomplete':
        isComplete = true;
        break;
      case 'response.failed':
      case 'response.cancelled':
        failure = describeError(response['error'] ?? textAt(event, 'type') ?? 'an error');
        break;
      case 'error':
        failure = describeError(event['error'] ?? event);
        break;
      default:
        collectItem(items, event);
    }
  }
  const collected = [...items].sort(([one], [other]) => one - other).map(([, item]) => item);
  const whole = listAt(response, 'output') ?? [];
  return { body: { ...response, output: whole.length > 0 ? whole : collected }, isComplete, failure };
}

function collectItem(items: Map<number, JsonObject>, event: JsonObject): void {
  const index = numberAt(event, 'output_index');
  if (index === undefined) return;
  const item = items.get(index) ?? {};
  switch (event['type']) {
    case 'response.output_item.added':
    case 'response.output_item.done':
      items.set(index, objectAt(event, 'item') ?? item);
      break;
    case 'response.function_call_arguments.delta':
      items.set(index, { ...item, arguments: joined(item['arguments'], event['delta']) });
      break;
    case 'response.function_call_arguments.done':
      items.set(index, { ...item, arguments: event['arguments'] ?? item['arguments'] ?? '' });
      break;
    case 'response.custom_tool_call_input.delta':
      items.set(index, { ...item, input: joined(item['input'], event['delta']) });
      break;
    case 'response.output_text.delta':
      items.set(index, withText(item, event, 'output_text'));
      break;
    case 'response.refusal.delta':
      items.set(index, withText(item, event, 'refusal'));
      break;
  }
}

function withText(item: JsonObject, event: JsonObject, type: 'output_text' | 'refusal'): JsonObject {
  const content: Json[] = objectsAt(item, 'content').slice();
  const index = Math.min(numberAt(event, 'content_index') ?? 0, content.length);
  const part = content[index];
  const key = type === 'refusal' ? 'refusal' : 'text';
  const before = isJsonObject(part) ? part[key] : '';
  content[index] = { type, [key]: joined(before, event['delta']) };
  return { type: 'message', role: 'assistant', ...item, content };
}

function joined(before: Json | undefined, delta: Json | undefined): string {
  return (typeof before === 'string' ? before : '') + (typeof delta === 'string' ? delta : '');
}

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

function changeItem(item: JsonObject, change: ChangeResult): JsonObject {
  if (textAt(item, 'type')?.endsWith('_call_output') !== true) return item;
  const output = valueAt(item, 'output');
  const text = contentText(output);
  if (text === undefined) return item;
  const changed = change({ id: textAt(item, 'call_id'), text });
  return changed === undefined ? item : { ...item, output: changeContent(output, changed, 'input_text') };
}

function holdsItems(body: JsonObject): boolean {
  return listAt(body, 'output')?.some((item) => isJsonObject(item) && isMarkedItem(item)) === true;
}
