import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import { listAt, textAt } from '../foreign-fields.ts';
import type { MessageDialect } from './dialect.ts';
import { OPENAI_CHAT_MESSAGES } from './openai-chat-messages.ts';

/** Chat messages with names in camel case: `toolCalls`, `toolCallId`. Written by the SDKs of Mistral and Cohere, and by AG-UI. */
export const CAMEL_CHAT_MESSAGES: MessageDialect = {
  name: 'chat messages of Mistral or AG-UI',
  recognises: (messages) => messages.some(isMarked),
  read: (messages, at) => OPENAI_CHAT_MESSAGES.read(messages.map(withSnakeNames), at),
};

function isMarked(message: Json): boolean {
  if (!isJsonObject(message)) return false;
  if (textAt(message, 'role') === 'tool')
    return textAt(message, 'toolCallId') !== undefined && 'content' in message;
  const calls = textAt(message, 'role') === 'assistant' ? listAt(message, 'toolCalls') : undefined;
  return calls?.some((call) => isJsonObject(call) && isJsonObject(call['function'])) === true;
}

const NAMES: readonly (readonly [camel: string, snake: string])[] = [
  ['toolCalls', 'tool_calls'],
  ['toolCallId', 'tool_call_id'],
  ['functionCall', 'function_call'],
];

/** Of a message or of a response. */
function withSnakeNames(message: Json): Json {
  if (!isJsonObject(message) || !NAMES.some(([camel]) => camel in message)) return message;
  const renamed: Record<string, Json> = { ...message };
  for (const [camel, snake] of NAMES) {
    if (!Object.hasOwn(message, camel)) continue;
    delete renamed[camel];
    renamed[snake] ??= message[camel]!;
  }
  return renamed;
}

/** Of a chat completion, as the SDK of Mistral returns it. */
export function withSnakeChoices(body: JsonObject): JsonObject {
  const choices = listAt(body, 'choices');
  if (!isJsonList(choices)) return body;
  return {
    ...body,
    choices: choices.map((choice) => {
      if (!isJsonObject(choice)) return choice;
      const { message, delta, finishReason } = choice;
      return {
        ...choice,
        ...(message === undefined ? {} : { message: withSnakeNames(message) }),
        ...(delta === undefined ? {} : { delta: withSnakeNames(delta) }),
        ...(finishReason === undefined ? {} : { finish_reason: finishReason }),
      };
    }),
  };
}
