import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { parseJson } from '../../model/parse-json.ts';
import { mayBeApiRequest, mayBeModelCall, pathWithoutQuery } from './recognise-model-call.ts';

/** A call of a model through an API that Assay cannot read: what the model asked for there is unknown. */
export interface UnreadCall {
  /** Method and path, without the query. */
  readonly at: string;
  /** Whether the model may have asked for tools. */
  readonly mayHoldCalls: boolean;
}

/** APIs of chat models by their paths: Ollama, Cohere, Bedrock, and OpenAI's over a web socket. */
const CHAT_PATHS =
  /\/api\/(?:chat|generate)$|\/v[12]\/chat$|\/model\/[^/]+\/(?:converse|invoke)(?:-[a-z-]+)?$|\/realtime$/;

/** Undefined: this is not a call of a model, or one that Assay reads. `body`: what is sent, where it is known. */
export function unreadModelCall(
  method: string,
  path: string,
  body: string | Uint8Array | undefined,
): UnreadCall | undefined {
  if (mayBeModelCall(method, path)) return undefined;
  const plain = pathWithoutQuery(path);
  const at = `${method.toUpperCase()} ${plain}`;
  const isChat = CHAT_PATHS.test(plain);
  // Embeddings and counts of tokens hold no calls.
  if (!isChat && mayBeApiRequest(method, path)) return undefined;
  if (method.toUpperCase() !== 'POST') return isChat ? { at, mayHoldCalls: true } : undefined;
  const request = body === undefined ? undefined : readRequest(body);
  if (request === undefined) return isChat ? { at, mayHoldCalls: true } : undefined;
  const parts = [request, ...Object.values(request).filter(isJsonObject)];
  const mayHoldCalls = parts.some(offersTools);
  const isMeant = isChat || (parts.some(isConversation) && (mayHoldCalls || parts.some(namesModel)));
  return isMeant ? { at, mayHoldCalls } : undefined;
}

const LIMIT = 16 * 1024 * 1024;

function readRequest(body: string | Uint8Array): JsonObject | undefined {
  if (body.length > LIMIT) return undefined;
  const text = typeof body === 'string' ? body : Buffer.from(body).toString();
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const request = parseJson(text);
    return isJsonObject(request) ? request : undefined;
  } catch {
    return undefined;
  }
}

const MESSAGES = /^(?:messages|contents|conversation|chat_?history|input|prompt)$/i;
const TOOLS = /^(?:tools|tool_?config|functions|function_?declarations|tool_?choice)$/i;
const MODEL =
  /^(?:model|model_?id|model_?name|max_?(?:output_?|completion_?)?tokens|temperature|inference_?config|generation_?config)$/i;

function isConversation(part: JsonObject): boolean {
  return Object.entries(part).some(
    ([key, value]) => MESSAGES.test(key) && isJsonList(value) && value.some(hasRole),
  );
}

function hasRole(message: Json): boolean {
  return isJsonObject(message) && typeof message['role'] === 'string';
}

function offersTools(part: JsonObject): boolean {
  return Object.entries(part).some(([key, value]) => TOOLS.test(key) && !isEmpty(value));
}

function isEmpty(value: Json): boolean {
  if (isJsonList(value)) return value.length === 0;
  return value === null || value === 'none' || (isJsonObject(value) && Object.keys(value).length === 0);
}

function namesModel(part: JsonObject): boolean {
  return Object.keys(part).some((key) => MODEL.test(key));
}
