import { isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import { ANTHROPIC_MESSAGES } from '../dialects/anthropic-messages.ts';
import { listAt, numberAt, objectAt, textAt, valueAt, objectsAt, readArguments } from '../foreign-fields.ts';
import { anthropicUsage } from '../provider-usage.ts';
import { describeError } from './describe-error.ts';
import {
  hasRole,
  type AskedAnswer,
  type AssembledStream,
  type CallUsage,
  type ChangeResult,
  type Finish,
  type ModelApi,
  type ModelResponse,
  type StreamEvent,
} from './model-api.ts';
import { changeContent, contentText, mapItems } from './result-content.ts';

/** Anthropic's Messages API. Its SDK posts to `/v1/messages`, others to `/messages`, and Vertex to `:rawPredict`. */
export const ANTHROPIC: ModelApi = {
  name: 'anthropic',
  path: /\/messages$|:(?:streamRawPredict|rawPredict)$/,
  // Other services have a path `/messages` too.
  matchesBody: (body) =>
    listAt(body, 'messages') !== undefined &&
    ['model', 'max_tokens', 'anthropic_version'].some((key) => key in body),
  dialect: ANTHROPIC_MESSAGES,
  readRequest: (body, path) => ({
    model: textAt(body, 'model') ?? /\/models\/([^/:]+):\w+$/.exec(path)?.[1],
    isStreamed: body['stream'] === true || path.endsWith(':streamRawPredict'),
    system: valueAt(body, 'system'),
    messages: listAt(body, 'messages') ?? [],
    tools: objectsAt(body, 'tools').flatMap((tool) => textAt(tool, 'name') ?? []),
    hasHiddenTools: 'mcp_servers' in body,
    isToolForced: ['tool', 'any'].includes(textAt(objectAt(body, 'tool_choice'), 'type') ?? ''),
    isStructured: objectAt(body, 'output_format', 'output_config') !== undefined,
    // The server keeps a thread, so a request has only the new messages.
    previousResponse: textAt(objectAt(body, 'thread'), 'previous_message_id'),
  }),
  readResponse,
  assembleStream: assembleAnthropicStream,
  isFromModel: (message) => hasRole(message, 'assistant'),
  isFromUser: (message) => hasRole(message, 'user'),
  addresses: [
    {
      variables: ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_URL', 'ANTHROPIC_API_BASE'],
      standard: {
        address: 'https://api.anthropic.com',
        version: '/v1',
        variables: ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_URL'],
      },
    },
  ],
  growth: { list: 'messages', parts: ['messages', 'content'], ids: ['tool_use_id'] },
  asReply: {
    name: 'an Anthropic message',
    isBody: (body) =>
      textAt(body, 'type') === 'message' &&
      textAt(body, 'role') === 'assistant' &&
      listAt(body, 'content') !== undefined &&
      ('stop_reason' in body || 'model' in body),
    isEvent: (event) => {
      const type = textAt(event, 'type');
      if (type === 'message_start') return textAt(objectAt(event, 'message'), 'type') === 'message';
      return type === 'content_block_start' || type === 'content_block_delta';
    },
    isKnownEvent: (event) => /^(message_|content_block_|ping$|error$)/.test(textAt(event, 'type') ?? ''),
  },
  errorBody: (status, message) => ({
    type: 'error',
    error: {
      type: ERROR_KINDS.get(status) ?? (status >= 500 ? 'api_error' : 'invalid_request_error'),
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
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: NO_USAGE },
      { type: 'message_stop' },
    ];
    return events.map((data): StreamEvent => ({ event: data['type'] as string, data }));
  },
  mapResults: (request, change) =>
    mapItems(request, 'messages', (message) =>
      hasRole(message, 'user')
        ? mapItems(message, 'content', (block) => changeBlock(block, change))
        : message,
    ),
};

function readResponse(body: JsonObject): ModelResponse | undefined {
  const content = listAt(body, 'content');
  if (content === undefined) {
    const error = valueAt(body, 'error');
    return error === undefined ? undefined : { messages: [], finish: 'stop', failure: describeError(error) };
  }
  const reason = textAt(body, 'stop_reason');
  return {
    id: textAt(body, 'id'),
    model: textAt(body, 'model'),
    messages: [{ role: 'assistant', content }],
    finish: FINISH.get(reason ?? '') ?? 'stop',
    usage: readUsage(objectAt(body, 'usage')),
    isRefused: reason === 'refusal',
  };
}

const FINISH: ReadonlyMap<string, Finish> = new Map([
  ['tool_use', 'tool_calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['pause_turn', 'pause'],
  ['refusal', 'blocked'],
]);

function readUsage(usage: JsonObject | undefined): CallUsage | undefined {
  const read = anthropicUsage(usage);
  const written = numberAt(usage, 'cache_creation_input_tokens') ?? 0;
  return read === undefined || written === 0 ? read : { ...read, cache_write: written };
}

/** Joins the events of a streamed Anthropic message. */
function assembleAnthropicStream(events: readonly JsonObject[]): AssembledStream {
  let message: JsonObject = {};
  const blocks = new Map<number, Block>();
  let usage: JsonObject = {};
  let stopReason: string | undefined;
  let isStopped = false;
  let failure: string | undefined;
  for (const event of events) {
    switch (event['type']) {
      case 'message_start':
        message = objectAt(event, 'message') ?? {};
        usage = objectAt(message, 'usage') ?? {};
        break;
      case 'content_block_start':
        blocks.set(numberAt(event, 'index') ?? blocks.size, {
          start: objectAt(event, 'content_block') ?? {},
          text: '',
          input: '',
        });
        break;
      case 'content_block_delta':
        extend(blocks.get(numberAt(event, 'index') ?? blocks.size - 1), objectAt(event, 'delta') ?? {});
        break;
      case 'message_delta':
        stopReason = textAt(objectAt(event, 'delta'), 'stop_reason') ?? stopReason;
        usage = replaceKnown(usage, objectAt(event, 'usage') ?? {});
        break;
      case 'message_stop':
        isStopped = true;
        break;
      case 'error':
        failure = describeError(event['error'] ?? 'an error');
        break;
    }
  }
  const content = [...blocks].sort(([one], [other]) => one - other).map(([, block]) => finished(block));
  return {
    body: { ...message, content, stop_reason: stopReason ?? null, usage },
    isComplete: isStopped || stopReason !== undefined,
    failure,
  };
}

interface Block {
  readonly start: JsonObject;
  text: string;
  input: string;
}

function extend(block: Block | undefined, delta: JsonObject): void {
  if (block === undefined) return;
  if (delta['type'] === 'text_delta') block.text += textAt(delta, 'text') ?? '';
  if (delta['type'] === 'input_json_delta') block.input += textAt(delta, 'partial_json') ?? '';
}

/** Thinking is left as it began: nothing reads it. Half of a call's JSON, of a model that was cut off, stays text. */
function finished({ start, text, input }: Block): Json {
  if (start['type'] === 'text') return { ...start, text: (textAt(start, 'text') ?? '') + text };
  return input === '' ? start : { ...start, input: readArguments(input)! };
}

/** The figures of `message_delta` are sums so far. What it does not know stays. */
function replaceKnown(usage: JsonObject, later: JsonObject): JsonObject {
  const known = Object.entries(later).filter(([, value]) => typeof value === 'number' || isJsonObject(value));
  return { ...usage, ...Object.fromEntries(known) };
}

const ERROR_KINDS: ReadonlyMap<number, string> = new Map([
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [529, 'overloaded_error'],
]);

const NO_USAGE = {
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
    usage: NO_USAGE,
  };
}

function changeBlock(block: JsonObject, change: ChangeResult): JsonObject {
  if (textAt(block, 'type') !== 'tool_result') return block;
  const content = valueAt(block, 'content');
  const text = contentText(content);
  if (text === undefined) return block;
  const changed = change({ id: textAt(block, 'tool_use_id'), text });
  return changed === undefined ? block : { ...block, content: changeContent(content, changed) };
}
