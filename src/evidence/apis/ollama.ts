import type { Json, JsonObject } from '../../base/model/json.ts';
import { OPENAI_CHAT_MESSAGES } from '../dialects/openai-chat-messages.ts';
import { listAt, objectAt, textAt, valueAt, objectsAt } from '../foreign-fields.ts';
import { countAt, inclusiveUsage } from '../provider-usage.ts';
import { describeError } from './describe-error.ts';
import {
  hasRole,
  type AskedAnswer,
  type AssembledStream,
  type Finish,
  type ModelApi,
  type ModelResponse,
} from './model-api.ts';
import { mapToolMessages } from './result-content.ts';

/** Ollama's own API. A stream of it is one JSON object per line. */
export const OLLAMA: ModelApi = {
  name: 'ollama',
  path: /\/api\/chat$/,
  // Web applications have a path `/api/chat` too.
  matchesBody: (body) =>
    textAt(body, 'model') !== undefined && listAt(body, 'messages')?.every(isMessage) === true,
  streamType: 'application/x-ndjson',
  dialect: {
    ...OPENAI_CHAT_MESSAGES,
    name: 'Ollama messages',
    read: (messages, at) => OPENAI_CHAT_MESSAGES.read(messages.map(withName), at),
  },
  readRequest: (body) => ({
    model: textAt(body, 'model'),
    isStreamed: body['stream'] !== false,
    messages: listAt(body, 'messages') ?? [],
    tools: objectsAt(body, 'tools').flatMap(
      (tool) => textAt(objectAt(tool, 'function') ?? tool, 'name') ?? [],
    ),
    isToolForced: false,
    isStructured: valueAt(body, 'format') !== undefined,
  }),
  readResponse,
  assembleStream,
  isFromModel: (message) => hasRole(message, 'assistant'),
  isFromUser: (message) => hasRole(message, 'user'),
  addresses: [
    {
      variables: ['OLLAMA_HOST', 'OLLAMA_BASE_URL', 'OLLAMA_API_BASE'],
    },
  ],
  growth: { list: 'messages', parts: ['messages', 'tool_calls'], ids: [] },
  asReply: {
    name: 'an Ollama response',
    isBody: (body) => isChunk(body) && body['done'] === true,
    isEvent: isChunk,
    isKnownEvent: (event) => isChunk(event) || 'error' in event,
  },
  errorBody: (_status, message) => ({ error: message }),
  answerBody: (text, asked) => ({ ...chunkOf(text, asked), ...DONE }),
  answerEvents: (text, asked) => [
    { data: { ...chunkOf(text, asked), done: false } },
    { data: { ...chunkOf('', asked), ...DONE } },
  ],
  mapResults: mapToolMessages,
};

function isMessage(message: Json): boolean {
  if (textAt(message, 'role') === undefined) return false;
  return textAt(message, 'content') !== undefined || listAt(message, 'tool_calls') !== undefined;
}

/** The name of a tool stands in a field of its own. */
function withName(message: Json): Json {
  const tool = textAt(message, 'tool_name');
  return tool === undefined ? message : { ...(message as JsonObject), name: tool };
}

function readResponse(body: JsonObject): ModelResponse | undefined {
  const message = objectAt(body, 'message');
  const error = valueAt(body, 'error');
  if (message === undefined)
    return error === undefined ? undefined : { messages: [], finish: 'stop', failure: describeError(error) };
  return {
    model: textAt(body, 'model'),
    messages: [{ ...message, role: 'assistant' }],
    finish:
      objectsAt(message, 'tool_calls').length > 0 ? 'tool_calls' : finishOf(textAt(body, 'done_reason')),
    // The count of a prompt that was read from a cache is left out: then nobody knows it.
    usage: inclusiveUsage({
      prompt: countAt(body, 'prompt_eval_count'),
      output: countAt(body, 'eval_count'),
    }),
  };
}

function finishOf(reason: string | undefined): Finish {
  return reason === 'length' ? 'length' : 'stop';
}

/** The last chunk has the figures. Calls come whole. */
function assembleStream(chunks: readonly JsonObject[]): AssembledStream {
  let body: JsonObject = {};
  let content = '';
  let failure: string | undefined;
  const calls: Json[] = [];
  for (const chunk of chunks) {
    if (chunk['error'] !== undefined) failure = describeError(chunk['error']);
    const message = objectAt(chunk, 'message');
    if (message === undefined) continue;
    content += textAt(message, 'content') ?? '';
    calls.push(...objectsAt(message, 'tool_calls'));
    body = chunk;
  }
  const message = { role: 'assistant', content, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
  return { body: { ...body, message }, isComplete: body['done'] === true, failure };
}

function isChunk(body: JsonObject): boolean {
  const isFlagged = typeof body['done'] === 'boolean' && textAt(body, 'model') !== undefined;
  return isFlagged && objectAt(body, 'message') !== undefined;
}

const DONE = { done: true, done_reason: 'stop', prompt_eval_count: 0, eval_count: 0 };

function chunkOf(content: string, { model }: AskedAnswer): JsonObject {
  return { model, created_at: '2000-01-01T00:00:00Z', message: { role: 'assistant', content } };
}
