import { isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import { OPENAI_CHAT_MESSAGES } from '../dialects/openai-chat-messages.ts';
import { listAt, numberAt, objectAt, readOutput, textAt, valueAt, objectsAt } from '../foreign-fields.ts';
import { countAt, inclusiveUsage } from '../provider-usage.ts';
import { describeError } from './describe-error.ts';
import {
  hasRole,
  type AskedAnswer,
  type AssembledStream,
  type Finish,
  type ModelApi,
  type ModelResponse,
  type StreamEvent,
} from './model-api.ts';
import { mapToolMessages } from './result-content.ts';

/** Version 2 of Cohere's chat. */
export const COHERE: ModelApi = {
  name: 'cohere',
  path: /\/v2\/chat$/,
  matchesBody: (body) => textAt(body, 'model') !== undefined && listAt(body, 'messages') !== undefined,
  dialect: {
    ...OPENAI_CHAT_MESSAGES,
    name: 'Cohere messages',
    read: (messages, at) => OPENAI_CHAT_MESSAGES.read(messages.map(withoutDocuments), at),
  },
  readRequest: (body) => ({
    model: textAt(body, 'model'),
    isStreamed: body['stream'] === true,
    messages: listAt(body, 'messages') ?? [],
    tools: objectsAt(body, 'tools').flatMap(
      (tool) => textAt(objectAt(tool, 'function') ?? tool, 'name') ?? [],
    ),
    isToolForced: textAt(body, 'tool_choice') === 'REQUIRED',
    isStructured: (textAt(objectAt(body, 'response_format'), 'type') ?? 'text') !== 'text',
  }),
  readResponse,
  assembleStream,
  isFromModel: (message) => hasRole(message, 'assistant'),
  isFromUser: (message) => hasRole(message, 'user'),
  addresses: [{ variables: ['CO_API_URL', 'COHERE_BASE_URL', 'COHERE_API_BASE'] }],
  growth: { list: 'messages', parts: ['messages', 'content', 'tool_calls'], ids: ['tool_call_id'] },
  asReply: {
    name: 'a Cohere response',
    isBody: (body) =>
      objectAt(body, 'message') !== undefined &&
      FINISH.has(textAt(body, 'finish_reason', 'finishReason') ?? ''),
    isEvent: (event) => STARTS.has(textAt(event, 'type') ?? '') && objectAt(event, 'delta') !== undefined,
    isKnownEvent: (event) =>
      /^(?:(?:message|content|tool-call|citation)-(?:start|delta|end)|tool-plan-delta|debug)$/.test(
        textAt(event, 'type') ?? '',
      ),
    normalise: withSnakeFields,
  },
  errorBody: (_status, message) => ({ message }),
  answerBody: (text, { id }) => ({
    id,
    finish_reason: 'COMPLETE',
    message: { role: 'assistant', content: [{ type: 'text', text }] },
    usage: NO_USAGE,
  }),
  answerEvents,
  mapResults: mapToolMessages,
};

const STARTS: ReadonlySet<string> = new Set([
  'message-start',
  'message-end',
  'tool-call-start',
  'content-start',
]);

/** A result of a tool may be documents: their data is what the model reads. */
function withoutDocuments(message: Json): Json {
  if (!isJsonObject(message) || !hasRole(message, 'tool')) return message;
  const parts = objectsAt(message, 'content');
  const data = parts.flatMap((part) => valueAt(objectAt(part, 'document'), 'data') ?? []);
  if (data.length === 0 || data.length < parts.length) return message;
  const read = data.map((each) => readOutput(each)!);
  return { ...message, content: read.length === 1 ? read[0]! : read };
}

function readResponse(body: JsonObject): ModelResponse | undefined {
  const message = objectAt(body, 'message');
  if (message === undefined) return undefined;
  const reason = textAt(body, 'finish_reason') ?? '';
  return {
    id: textAt(body, 'id'),
    messages: [{ ...message, role: 'assistant' }],
    finish: FINISH.get(reason) ?? 'stop',
    usage: usageOf(objectAt(body, 'usage')),
    failure: FAILED.has(reason) ? (textAt(body, 'error') ?? reason) : undefined,
  };
}

const FINISH: ReadonlyMap<string, Finish> = new Map([
  ['COMPLETE', 'stop'],
  ['STOP_SEQUENCE', 'stop'],
  ['TOOL_CALL', 'tool_calls'],
  ['MAX_TOKENS', 'length'],
  ['ERROR', 'stop'],
  ['TIMEOUT', 'stop'],
]);
const FAILED: ReadonlySet<string> = new Set(['ERROR', 'TIMEOUT']);

/** The tokens that were used, of which some are not billed. Those from a cache are in them. */
function usageOf(usage: JsonObject | undefined): TokenUsage | undefined {
  const tokens = objectAt(usage, 'tokens', 'billed_units');
  return tokens === undefined
    ? undefined
    : inclusiveUsage({
        prompt: countAt(tokens, 'input_tokens'),
        cached: countAt(usage, 'cached_tokens'),
        output: countAt(tokens, 'output_tokens'),
      });
}

function assembleStream(events: readonly JsonObject[]): AssembledStream {
  let id: Json = null;
  let end: JsonObject | undefined;
  let failure: string | undefined;
  const texts = new Map<number, string>();
  const calls = new Map<number, { start: JsonObject; input: string }>();
  for (const event of events) {
    const delta = objectAt(event, 'delta') ?? {};
    const message = objectAt(delta, 'message');
    const index = numberAt(event, 'index') ?? 0;
    switch (event['type']) {
      case 'message-start':
        id = event['id'] ?? null;
        break;
      case 'content-start':
      case 'content-delta':
        texts.set(index, (texts.get(index) ?? '') + (textAt(objectAt(message, 'content'), 'text') ?? ''));
        break;
      case 'tool-call-start': {
        const start = objectAt(message, 'tool_calls') ?? {};
        calls.set(index, { start, input: textAt(objectAt(start, 'function'), 'arguments') ?? '' });
        break;
      }
      case 'tool-call-delta': {
        const call = calls.get(index);
        const part = objectAt(objectAt(message, 'tool_calls'), 'function') ?? {};
        if (call !== undefined) call.input += textAt(part, 'arguments') ?? '';
        break;
      }
      case 'message-end':
        end = delta;
        break;
      default:
        if (event['error'] !== undefined) failure = describeError(event['error']);
    }
  }
  const asked = [...calls.values()].map(({ start, input }) => ({
    ...start,
    function: { ...objectAt(start, 'function'), arguments: input },
  }));
  const content = [...texts.values()].map((text) => ({ type: 'text', text }));
  return {
    body: {
      id,
      ...end,
      message: { role: 'assistant', content, ...(asked.length === 0 ? {} : { tool_calls: asked }) },
    },
    isComplete: end !== undefined,
    failure,
  };
}

const NO_USAGE = { tokens: { input_tokens: 0, output_tokens: 0 } };

function answerEvents(text: string, { id }: AskedAnswer): readonly StreamEvent[] {
  const events: readonly JsonObject[] = [
    { type: 'message-start', id, delta: { message: { role: 'assistant', content: [] } } },
    { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
    { type: 'content-delta', index: 0, delta: { message: { content: { text } } } },
    { type: 'content-end', index: 0 },
    { type: 'message-end', delta: { finish_reason: 'COMPLETE', usage: NO_USAGE } },
  ];
  return events.map((data): StreamEvent => ({ event: data['type'] as string, data }));
}

/** `toolCalls` -> `tool_calls`, as the SDK for JavaScript writes responses. Arguments are text, so all names are the API's. */
function withSnakeFields(body: JsonObject): JsonObject {
  const rename = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(rename);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [
        key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        rename(each),
      ]),
    );
  };
  return rename(body) as JsonObject;
}
