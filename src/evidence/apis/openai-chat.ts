import { isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import { withSnakeChoices } from '../dialects/camel-chat-messages.ts';
import { OPENAI_CHAT_MESSAGES } from '../dialects/openai-chat-messages.ts';
import type { AskedCall } from '../entry.ts';
import {
  listAt,
  numberAt,
  objectAt,
  readArguments,
  readOutput,
  textAt,
  valueAt,
  objectsAt,
} from '../foreign-fields.ts';
import { openaiChatUsage } from '../provider-usage.ts';
import { describeError } from './describe-error.ts';
import {
  hasRole,
  type AskedAnswer,
  type AssembledStream,
  type Finish,
  type ModelApi,
  type ModelResponse,
} from './model-api.ts';
import { openAiError } from './open-ai-error.ts';
import { mapToolMessages } from './result-content.ts';

/** Chat completions of OpenAI, Azure and every compatible server, and of Mistral's agents, which name an agent instead of a model. */
export const OPENAI_CHAT: ModelApi = {
  name: 'chat',
  path: /\/(?:chat|agents)\/completions$/,
  matchesBody: (body) => listAt(body, 'messages') !== undefined,
  dialect: OPENAI_CHAT_MESSAGES,
  readRequest: (body) => ({
    model: textAt(body, 'model'),
    isStreamed: body['stream'] === true,
    messages: listAt(body, 'messages') ?? [],
    tools: [...objectsAt(body, 'tools'), ...objectsAt(body, 'functions')].flatMap(nameOf),
    hasHiddenTools: 'agent_id' in body,
    isToolForced: isForced(body),
    isStructured: isStructured(objectAt(body, 'response_format')),
  }),
  readResponse,
  assembleStream: assembleChatStream,
  isFromModel: (message) => hasRole(message, 'assistant'),
  isFromUser: (message) => hasRole(message, 'user'),
  addresses: [
    {
      variables: ['OPENAI_BASE_URL', 'OPENAI_API_BASE', 'OPENAI_API_BASE_URL'],
      standard: {
        address: 'https://api.openai.com/v1',
        version: '/v1',
        variables: ['OPENAI_BASE_URL', 'OPENAI_API_BASE'],
      },
    },
    { variables: ['AZURE_OPENAI_ENDPOINT', 'AZURE_OPENAI_BASE_URL', 'AZURE_API_BASE'] },
    { variables: ['OPENROUTER_BASE_URL', 'OPENROUTER_API_BASE'] },
    { variables: ['GROQ_BASE_URL', 'GROQ_API_BASE'] },
    { variables: ['MISTRAL_BASE_URL', 'MISTRAL_API_BASE'] },
    { variables: ['DEEPSEEK_BASE_URL', 'DEEPSEEK_API_BASE'] },
    { variables: ['XAI_BASE_URL', 'XAI_API_BASE'] },
  ],
  growth: {
    list: 'messages',
    parts: ['messages', 'content', 'tool_calls', 'function_call'],
    ids: ['tool_call_id'],
  },
  asReply: {
    name: 'an OpenAI chat completion',
    isBody: (body) => {
      const message = choiceField(body, 'message');
      if (message === undefined) return false;
      return textAt(body, 'object') === 'chat.completion' || ('content' in message && 'role' in message);
    },
    isEvent: (event) =>
      textAt(event, 'object') === 'chat.completion.chunk' || choiceField(event, 'delta') !== undefined,
    isKnownEvent: (event) => ['choices', 'usage', 'error'].some((name) => name in event),
    normalise: withSnakeChoices,
  },
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
    usage: NO_USAGE,
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
      ...(wantsUsage ? [{ data: chunk({ choices: [], usage: NO_USAGE }) }] : []),
      { text: '[DONE]' },
    ];
  },
  mapResults: mapToolMessages,
};

function nameOf(tool: JsonObject): readonly string[] {
  const name = textAt(objectAt(tool, 'function', 'custom') ?? tool, 'name');
  return name === undefined ? [] : [name];
}

function isForced(body: JsonObject): boolean {
  const choice = valueAt(body, 'tool_choice', 'function_call');
  if (isJsonObject(choice)) return textAt(choice, 'type') !== 'allowed_tools';
  return choice === 'required' || choice === 'any';
}

export function isStructured(format: JsonObject | undefined): boolean {
  return format !== undefined && textAt(format, 'type') !== 'text';
}

function readResponse(body: JsonObject): ModelResponse | undefined {
  const choices = objectsAt(body, 'choices');
  const choice = choices.find((each) => each['index'] === 0) ?? choices[0];
  const error = valueAt(body, 'error');
  const message = objectAt(choice, 'message');
  if (choice === undefined || message === undefined) {
    return error === undefined ? undefined : { messages: [], finish: 'stop', failure: describeError(error) };
  }
  const reason = textAt(choice, 'finish_reason');
  return {
    id: textAt(body, 'id'),
    model: textAt(body, 'model'),
    // Only what the model wrote: servers leave out its role.
    messages: [{ ...message, role: 'assistant' }],
    finish: FINISH.get(reason ?? '') ?? 'stop',
    provided: objectsAt(message, 'executed_tools').map(providedCall),
    usage: openaiChatUsage(objectAt(body, 'usage')),
    isRefused: reason === 'content_filter' || (textAt(message, 'refusal') ?? '') !== '',
    hasOtherCalls: choices.some((each) => each !== choice && asksForTools(objectAt(each, 'message') ?? {})),
  };
}

/** Groq runs searches and code itself. */
function providedCall(call: JsonObject): AskedCall {
  const output = valueAt(call, 'output');
  return {
    tool: textAt(call, 'name', 'type') ?? 'unknown',
    input: readArguments(valueAt(call, 'arguments')),
    executed_by: 'provider',
    ...(output === undefined ? {} : { result: { output: readOutput(output) } }),
  };
}

function asksForTools(message: JsonObject): boolean {
  return objectsAt(message, 'tool_calls').length > 0 || objectAt(message, 'function_call') !== undefined;
}

const FINISH: ReadonlyMap<string, Finish> = new Map([
  ['tool_calls', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['length', 'length'],
  ['content_filter', 'blocked'],
]);

/** Joins the chunks of a streamed chat completion. Of several choices the first is the answer. */
function assembleChatStream(chunks: readonly JsonObject[]): AssembledStream {
  const message = {
    content: '',
    refusal: '',
    calls: new CallPieces(),
    legacy: undefined as Piece | undefined,
  };
  let finish: string | undefined;
  let usage: JsonObject | undefined;
  let failure: string | undefined;
  let first: JsonObject | undefined;
  const otherCalls: JsonObject[] = [];
  let executed: Json | undefined;
  for (const chunk of chunks) {
    if (chunk['error'] !== undefined && chunk['error'] !== null) failure = describeError(chunk['error']);
    if (textAt(chunk, 'id')) first ??= chunk;
    usage = objectAt(chunk, 'usage') ?? usage;
    for (const choice of objectsAt(chunk, 'choices')) {
      const delta = objectAt(choice, 'delta') ?? objectAt(choice, 'message') ?? {};
      if ((numberAt(choice, 'index') ?? 0) !== 0) {
        otherCalls.push(...objectsAt(delta, 'tool_calls'));
        continue;
      }
      message.content += deltaText(delta['content']);
      message.refusal += textAt(delta, 'refusal') ?? '';
      for (const call of objectsAt(delta, 'tool_calls')) message.calls.add(call);
      const legacy = objectAt(delta, 'function_call');
      if (legacy !== undefined) message.legacy = extend(message.legacy ?? newPiece(), legacy);
      executed = delta['executed_tools'] ?? executed;
      finish = textAt(choice, 'finish_reason') ?? finish;
    }
  }
  if (finish === 'error') failure ??= 'finish_reason: error';
  const calls = message.calls.toJson();
  const assembled: Record<string, Json> = { role: 'assistant', content: message.content || null };
  if (message.refusal !== '') assembled['refusal'] = message.refusal;
  if (calls.length > 0) assembled['tool_calls'] = calls;
  if (executed !== undefined) assembled['executed_tools'] = executed;
  if (message.legacy !== undefined) {
    assembled['function_call'] = { name: message.legacy.name, arguments: message.legacy.input };
  }
  return {
    body: {
      id: textAt(first, 'id') ?? null,
      model: textAt(first, 'model') ?? null,
      choices: [
        { index: 0, message: assembled, finish_reason: finish ?? null },
        ...(otherCalls.length > 0 ? [{ index: 1, message: { tool_calls: otherCalls } }] : []),
      ],
      usage: usage ?? null,
    },
    isComplete: finish !== undefined,
    failure,
  };
}

interface Piece {
  id: string | undefined;
  type: string;
  name: string;
  input: string;
}

function newPiece(): Piece {
  return { id: undefined, type: 'function', name: '', input: '' };
}

/** Pieces of parallel calls may be interleaved: their `index` tells them apart. */
class CallPieces {
  private readonly pieces: { readonly index: number | undefined; readonly piece: Piece }[] = [];

  add(delta: JsonObject): void {
    const piece = this.find(delta);
    piece.id ??= textAt(delta, 'id') || undefined;
    const custom = objectAt(delta, 'custom');
    if (custom !== undefined) piece.type = 'custom';
    extend(piece, custom ?? objectAt(delta, 'function') ?? {});
  }

  toJson(): readonly Json[] {
    return this.pieces.map(({ piece: { id, type, name, input } }) => ({
      ...(id === undefined ? {} : { id }),
      type,
      ...(type === 'custom' ? { custom: { name, input } } : { function: { name, arguments: input } }),
    }));
  }

  /** Some servers send no index, or the same index for every call, but each call has its own id. */
  private find(delta: JsonObject): Piece {
    const index = numberAt(delta, 'index');
    const id = textAt(delta, 'id') || undefined;
    const last = this.pieces.findLast((each) => each.index === index);
    const isNew =
      last === undefined || (id !== undefined && last.piece.id !== undefined && last.piece.id !== id);
    if (!isNew) return last.piece;
    const piece = newPiece();
    this.pieces.push({ index, piece });
    return piece;
  }
}

function extend(piece: Piece, delta: JsonObject): Piece {
  piece.name += textAt(delta, 'name') ?? '';
  const input = delta['arguments'] ?? delta['input'];
  if (typeof input === 'string') piece.input += input;
  else if (isJsonObject(input)) piece.input = printJson(input);
  return piece;
}

function deltaText(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part: Json) => textAt(part, 'text') ?? '').join('') : '';
}

const NO_USAGE = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

function headOf({ id, model }: AskedAnswer): JsonObject {
  return { id: `chatcmpl-${id}`, created: 1, model };
}

function choiceField(body: JsonObject, name: string): JsonObject | undefined {
  const choice = listAt(body, 'choices')?.[0];
  return objectAt(choice, name);
}
