import { isJsonObject, type JsonObject } from '../../../model/json.ts';
import type { AskedCall } from '../../entry.ts';
import { OPENAI_CHAT_MESSAGES } from '../../dialects/openai-chat-messages.ts';
import { listAt, objectAt, readArguments, readOutput, textAt, valueAt } from '../../foreign-fields.ts';
import { openaiChatUsage } from '../../provider-usage.ts';
import { describeError } from '../describe-error.ts';
import { objectsAt } from '../objects-at.ts';
import { assembleChatStream } from '../streams/openai-chat-stream.ts';
import { hasRole, type Finish, type ModelApi, type ModelResponse } from './model-api.ts';

/** Chat completions of OpenAI, Azure and every compatible server. */
export const OPENAI_CHAT: ModelApi = {
  name: 'chat',
  path: /\/chat\/completions$/,
  matchesBody: (body) => listAt(body, 'messages') !== undefined,
  dialect: OPENAI_CHAT_MESSAGES,
  readRequest: (body) => ({
    model: textAt(body, 'model'),
    isStreamed: body['stream'] === true,
    messages: listAt(body, 'messages') ?? [],
    tools: [...objectsAt(body, 'tools'), ...objectsAt(body, 'functions')].flatMap(nameOf),
    isToolForced: isForced(body),
    isStructured: isStructured(objectAt(body, 'response_format')),
  }),
  readResponse,
  assembleStream: assembleChatStream,
  isFromModel: (message) => hasRole(message, 'assistant'),
  isFromUser: (message) => hasRole(message, 'user'),
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
  const message = objectAt(choice ?? {}, 'message');
  if (choice === undefined || message === undefined) {
    return error === undefined ? undefined : { messages: [], finish: 'stop', failure: describeError(error) };
  }
  const reason = textAt(choice, 'finish_reason');
  const usage = objectAt(body, 'usage');
  return {
    id: textAt(body, 'id'),
    model: textAt(body, 'model'),
    // Only what the model wrote: servers leave out its role.
    messages: [{ ...message, role: 'assistant' }],
    finish: FINISH.get(reason ?? '') ?? 'stop',
    provided: objectsAt(message, 'executed_tools').map(providedCall),
    usage: usage === undefined ? undefined : openaiChatUsage(usage),
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
