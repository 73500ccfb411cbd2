import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { AskedCall, Entry } from '../entry.ts';
import { objectAt, readArguments, readOutput, textAt, valueAt } from '../foreign-fields.ts';
import { type MessageDialect, eachMessage } from './dialect.ts';
import { assistantEntries, NOTHING, readPieces, unknownEntry, userEntries, type Piece } from './pieces.ts';

/** `tool_calls[].function` in assistant messages, `tool_call_id` in tool messages. Also messages of text alone. */
export const OPENAI_CHAT_MESSAGES: MessageDialect = {
  name: 'OpenAI chat messages',
  recognises: (messages) => messages.some(isMarked) || isPlainConversation(messages),
  read: eachMessage(readMessage),
};

function isMarked(message: Json): boolean {
  if (!isJsonObject(message)) return false;
  switch (textAt(message, 'role')) {
    case 'assistant':
      return readCalls(message).calls.length > 0;
    case 'tool':
      return textAt(message, 'tool_call_id') !== undefined;
    case 'function':
      return textAt(message, 'name') !== undefined && Object.hasOwn(message, 'content');
    default:
      return false;
  }
}

/**
 * Roles and texts and nothing else: every API that takes messages writes them so. Any other field may hold calls in a way
 * of its own.
 */
function isPlainConversation(messages: readonly Json[]): boolean {
  const last = messages.at(-1);
  return textAt(last, 'role') === 'assistant' && messages.every(isPlain);
}

function isPlain(message: Json): boolean {
  if (!isJsonObject(message) || !PLAIN_ROLES.has(textAt(message, 'role') ?? '')) return false;
  const content = ownValue(message, 'content');
  const isText =
    typeof content === 'string' ||
    (isJsonList(content) && content.length > 0 && content.every((part) => isPlainPart(part)));
  return isText && Object.entries(message).every(isPlainField);
}

function isPlainPart(part: Json): boolean {
  if (!isJsonObject(part)) return false;
  const type = textAt(part, 'type') ?? '';
  return type === 'text' ? textAt(part, 'text') !== undefined : MEDIA.has(type);
}

function isPlainField([key, value]: readonly [string, Json]): boolean {
  if (PLAIN_FIELDS.has(key)) return true;
  return CALL_FIELDS.has(key) && (value === null || (isJsonList(value) && value.length === 0));
}

const PLAIN_ROLES: ReadonlySet<string> = new Set(['system', 'developer', 'user', 'assistant']);
const PLAIN_FIELDS: ReadonlySet<string> = new Set([
  'role',
  'content',
  'name',
  'refusal',
  'annotations',
  'audio',
  'parsed',
  'reasoning',
  'reasoning_content',
  'reasoning_details',
]);
const CALL_FIELDS: ReadonlySet<string> = new Set(['tool_calls', 'function_call']);
const MEDIA: ReadonlySet<string> = new Set(['image_url', 'input_audio', 'file', 'image', 'document']);
const UNSAID: ReadonlySet<string> = new Set([
  ...MEDIA,
  'thinking',
  'redacted_thinking',
  'reasoning',
  'reference',
]);

function readMessage(message: JsonObject, at: string): readonly Entry[] {
  const content = readPieces(ownValue(message, 'content'), `${at}.content`, readPart);
  switch (textAt(message, 'role')) {
    case 'system':
    case 'developer':
      return [{ kind: 'system', text: content.text ?? '' }];
    case 'user':
      return userEntries(content);
    case 'assistant': {
      const { calls, unread } = readCalls(message);
      const unknown = unread.map((value) => unknownEntry(`${at}.tool_calls`, value));
      return assistantEntries(
        { ...content, calls, unknown: [...content.unknown, ...unknown] },
        { refusal: textAt(message, 'refusal') },
      );
    }
    case 'tool':
    case 'function':
      return [
        {
          kind: 'result',
          id: textAt(message, 'tool_call_id'),
          tool: textAt(message, 'name'),
          output: readOutput(content.text ?? valueAt(message, 'content')),
        },
      ];
    default:
      return [unknownEntry(at, message)];
  }
}

function readPart(part: JsonObject): Piece | undefined {
  const type = textAt(part, 'type') ?? '';
  if (type === 'text') return { text: textAt(part, 'text') };
  if (type === 'refusal') return { refusal: textAt(part, 'refusal') };
  return UNSAID.has(type) ? NOTHING : undefined;
}

/** Of one assistant message. `function_call` is how it was done before there were tools. */
function readCalls(message: JsonObject): {
  readonly calls: readonly AskedCall[];
  readonly unread: readonly Json[];
} {
  const calls: AskedCall[] = [];
  const unread: Json[] = [];
  for (const key of CALL_FIELDS) {
    const value = valueAt(message, key);
    if (value === undefined) continue;
    for (const each of isJsonList(value) ? value : [value]) {
      const call = readCall(each);
      if (call === undefined) unread.push(each);
      else calls.push(call);
    }
  }
  return { calls, unread };
}

/** `{function: {name, arguments}}`, `{custom: {name, input}}`, or the name and the arguments side by side. */
export function readCall(call: Json): AskedCall | undefined {
  if (!isJsonObject(call)) return undefined;
  const named = objectAt(call, 'function', 'custom') ?? call;
  const tool = textAt(named, 'name');
  if (tool === undefined || tool === '') return undefined;
  const text = valueAt(named, 'arguments', 'args');
  const input = text === undefined ? valueAt(named, 'input') : readArguments(text);
  return { tool, id: textAt(call, 'id'), input };
}
