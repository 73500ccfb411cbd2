import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import type { AskedCall, Entry, UnknownEntry } from '../entry.ts';
import { listAt, objectAt, readArguments, readOutput, textAt, valueAt } from '../foreign-fields.ts';
import { anthropicUsage, countAt, inclusiveUsage, openaiChatUsage } from '../provider-usage.ts';
import { readBlock } from './anthropic-messages.ts';
import type { MessageDialect } from './dialect.ts';
import { readCall } from './openai-chat-messages.ts';
import { assistantEntries, NOTHING, readPieces, unknownEntry, userEntries, type Piece } from './pieces.ts';

/**
 * LangChain messages in all their forms: plain (`{type: "ai", ...}`, as Python dumps them), stored (`{type: "ai", data}`) and
 * serialised classes (`{lc: 1, type: "constructor", id, kwargs}`).
 */
export const LANGCHAIN_MESSAGES: MessageDialect = {
  name: 'LangChain messages',
  recognises: (messages) => messages.some((message) => isLangchainMessage(message)),
  read: (messages, at) => messages.flatMap((message, index) => readMessage(message, `${at}[${index}]`)),
};

/** A message of the model or of a tool: nothing else is written so. */
export function isLangchainMessage(message: Json): message is JsonObject {
  const { type, fields, isClass } = langchainFields(message);
  if (type !== 'ai' && type !== 'tool') return isClass && type !== undefined;
  if (fields === undefined || !Object.hasOwn(fields, 'content')) return false;
  return isClass || MARKS.some((name) => Object.hasOwn(fields, name));
}

const MARKS = [
  'additional_kwargs',
  'response_metadata',
  'tool_calls',
  'tool_call_id',
  'usage_metadata',
  'invalid_tool_calls',
];

interface Normalised {
  /** `human`, `ai`, `tool`, `system`. */
  readonly type?: string | undefined;
  readonly fields?: JsonObject | undefined;
  /** Whether it is a serialised class or a stored message. */
  readonly isClass: boolean;
}

/** A message in whichever of its forms. */
export function langchainFields(message: Json): Normalised {
  if (!isJsonObject(message)) return { isClass: false };
  const type = textAt(message, 'type');
  const id = listAt(message, 'id');
  if (type === 'constructor' && Object.hasOwn(message, 'lc') && id !== undefined) {
    const name = id.at(-1);
    const fields = objectAt(message, 'kwargs');
    return { type: typeof name === 'string' ? typeName(name) : undefined, fields, isClass: true };
  }
  const data = objectAt(message, 'data');
  if (data !== undefined && Object.hasOwn(data, 'content') && Object.keys(message).length === 2) {
    return { type: type === undefined ? undefined : typeName(type), fields: data, isClass: true };
  }
  return { type: type === undefined ? undefined : typeName(type), fields: message, isClass: false };
}

/** `AIMessageChunk` -> `ai`. */
function typeName(name: string): string {
  return name.replace(/Message(Chunk)?$/, '').toLowerCase();
}

function readMessage(message: Json, at: string): readonly Entry[] {
  const { type, fields } = langchainFields(message);
  if (fields === undefined) return [unknownEntry(at, message)];
  const pieces = readPieces(ownValue(fields, 'content'), `${at}.content`, readPart);
  switch (type === 'chat' ? ROLES.get(textAt(fields, 'role') ?? '') : type) {
    case 'human':
      return userEntries(pieces);
    case 'system':
    case 'developer':
      return [{ kind: 'system', text: pieces.text ?? '' }];
    case 'ai': {
      const { calls, unknown } = callsOf(fields, pieces.calls, at);
      return assistantEntries(
        { ...pieces, calls, unknown: [...pieces.unknown, ...unknown] },
        speakerOf(fields),
      );
    }
    case 'tool':
    case 'function':
      return [readResult(fields, pieces.text)];
    case 'remove':
      return [];
    default:
      return [unknownEntry(at, message)];
  }
}

const ROLES: ReadonlyMap<string, string> = new Map([
  ['user', 'human'],
  ['human', 'human'],
  ['assistant', 'ai'],
  ['system', 'system'],
]);

/** Blocks in the provider's format or in LangChain's own. Their calls are in `tool_calls` too. */
function readPart(part: JsonObject): Piece | undefined {
  const type = textAt(part, 'type') ?? '';
  if (type === 'text' || type === 'output_text' || type === 'input_text')
    return { text: textAt(part, 'text') };
  if (type === 'refusal') return { refusal: textAt(part, 'refusal') };
  if (type === 'tool_call' || type === 'server_tool_call') {
    const call = readCall(part);
    if (call === undefined) return undefined;
    return { call: { ...call, executed_by: type === 'tool_call' ? undefined : 'provider' } };
  }
  if (type === 'server_tool_result') {
    const status = textAt(part, 'status') === 'error' ? 'error' : undefined;
    return { result: { id: textAt(part, 'tool_call_id'), output: valueAt(part, 'output'), status } };
  }
  if (UNSAID.has(type)) return NOTHING;
  return readBlock(part) ?? readFunctionCall(part);
}

/** Gemini's `functionCall`, and `function_call` items of the Responses API. */
function readFunctionCall(part: JsonObject): Piece | undefined {
  const type = textAt(part, 'type');
  if (type !== 'function_call' && type !== 'functionCall') return undefined;
  const call = readCall(objectAt(part, 'functionCall') ?? part);
  return call === undefined ? undefined : { call: { ...call, id: textAt(part, 'call_id') ?? call.id } };
}

const UNSAID: ReadonlySet<string> = new Set([
  'reasoning',
  'image_url',
  'input_audio',
  'input_image',
  'file',
  'audio',
  'video',
  'text-plain',
  'input_json_delta',
  'tool_call_chunk',
  'server_tool_call_chunk',
  'invalid_tool_call',
  'non_standard',
  'web_search_call',
]);

/** One call has several views: in `tool_calls`, in the content, and as the provider wrote it. */
function callsOf(
  fields: JsonObject,
  inContent: readonly AskedCall[],
  at: string,
): { readonly calls: readonly AskedCall[]; readonly unknown: readonly UnknownEntry[] } {
  const calls: AskedCall[] = [];
  const unknown: UnknownEntry[] = [];
  for (const name of ['tool_calls', 'invalid_tool_calls']) {
    for (const [index, value] of (listAt(fields, name) ?? []).entries()) {
      const call = readCall(value);
      if (call === undefined) unknown.push(unknownEntry(`${at}.${name}[${index}]`, value));
      else calls.push({ ...call, input: readArguments(call.input) });
    }
  }
  const isListed = (id: string | undefined): boolean =>
    id !== undefined && calls.some((call) => call.id === id);
  calls.push(
    ...inContent.filter(
      ({ id, executed_by: by }) => (calls.length === 0 || by !== undefined) && !isListed(id),
    ),
  );
  if (calls.length > 0) return { calls, unknown };
  const raw = objectAt(fields, 'additional_kwargs');
  const legacy = valueAt(raw, 'tool_calls', 'function_call') ?? [];
  for (const value of isJsonList(legacy) ? legacy : [legacy]) {
    const call = readCall(value);
    if (call === undefined) unknown.push(unknownEntry(`${at}.additional_kwargs`, value));
    else calls.push(call);
  }
  return { calls, unknown };
}

function readResult(fields: JsonObject, text: string | undefined): Entry {
  const status = textAt(fields, 'status');
  return {
    kind: 'result',
    id: textAt(fields, 'tool_call_id'),
    tool: textAt(fields, 'name'),
    output: readOutput(text ?? valueAt(fields, 'content')),
    status: status === 'error' ? 'error' : status === 'success' ? 'ok' : undefined,
  };
}

function speakerOf(fields: JsonObject): Parameters<typeof assistantEntries>[1] {
  const metadata = objectAt(fields, 'response_metadata') ?? {};
  return {
    id: textAt(fields, 'id'),
    usage: usageOf(fields, metadata),
    model: textAt(metadata, 'model_name', 'model', 'modelName', 'model_id'),
    agent: textAt(fields, 'name'),
    refusal: textAt(objectAt(fields, 'additional_kwargs'), 'refusal'),
  };
}

/** `usage_metadata` is the same for all providers: `input_tokens` includes tokens read from a cache. */
function usageOf(fields: JsonObject, metadata: JsonObject): TokenUsage | undefined {
  const usage = objectAt(fields, 'usage_metadata');
  if (usage !== undefined) {
    return inclusiveUsage({
      prompt: countAt(usage, 'input_tokens'),
      cached: countAt(objectAt(usage, 'input_token_details'), 'cache_read'),
      output: countAt(usage, 'output_tokens'),
      reasoning: countAt(objectAt(usage, 'output_token_details'), 'reasoning'),
    });
  }
  const raw = objectAt(metadata, 'usage', 'token_usage', 'tokenUsage');
  return raw === undefined ? undefined : (openaiChatUsage(raw) ?? anthropicUsage(raw));
}
