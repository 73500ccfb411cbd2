import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import { parseJson } from '../../base/model/parse-json.ts';
import type { UnreadCall } from '../trace.ts';
import { kindOfOtherCall } from '../apis/other-calls.ts';
import { isModelCall, mayBeApiRequest, mayBeModelCall, pathWithoutQuery } from './recognise-model-call.ts';

/**
 * APIs of models by their paths: Ollama and Cohere, Bedrock and its agents, OpenAI's over a web socket, its assistants and batches,
 * Anthropic's batches, Gemini's interactions, and completions of a text, in which an agent writes and reads the calls itself.
 */
const CHAT_PATHS = new RegExp(
  [
    '/api/(?:chat|generate)',
    '/v[12]/chat',
    '/model/[^/]+/(?:converse|invoke)(?:-[a-z-]+)?',
    '/agents/[^/]+/agentAliases/[^/]+/sessions/[^/]+/text',
    '/realtime',
    '/threads/(?:[^/]+/)?runs',
    '/v1/(?:messages/)?batches',
    '/v1(?:alpha|beta)?/interactions',
    '/(?:v\\d+|fim|deployments/[^/]+)/completions',
  ]
    .map((path) => `${path}$`)
    .join('|'),
);

/** Where a web socket is opened: OpenAI's responses, Gemini live. */
const SOCKET_PATHS = /\/v\d+\/responses$|\.BidiGenerateContent$/;

/** Other work of models that takes a model and a text. */
const NO_CHAT = /embed|rerank|moderation|speech|audio|image|token|classif|score/i;

/** Undefined: this is not a call of a model, or one that Assay reads. `body`: what is sent, where it is known. */
export function unreadModelCall(
  method: string,
  path: string,
  body: string | Uint8Array | undefined,
): UnreadCall | undefined {
  const request = body === undefined ? undefined : readRequest(body);
  // The path of a known API with another body may be that of an API that nobody knows.
  if (mayBeModelCall(method, path) && (request === undefined || isModelCall(method, path, request)))
    return undefined;
  const plain = pathWithoutQuery(path);
  if (kindOfOtherCall(method, plain) !== undefined) return undefined;
  const at = `${method.toUpperCase()} ${plain}`;
  const isChat = CHAT_PATHS.test(plain);
  // Embeddings and counts of tokens hold no calls.
  if (!isChat && mayBeApiRequest(method, path)) return undefined;
  if (method.toUpperCase() !== 'POST') return isChat || SOCKET_PATHS.test(plain) ? { at } : undefined;
  if (request === undefined) return isChat ? { at } : undefined;
  const tool = toolOfMcp(request);
  if (tool !== undefined) return { at: `${at} (the tool ${tool} of an MCP server)`, tool };
  const parts = [request, ...Object.values(request).filter(isJsonObject)];
  const isMeant =
    isChat ||
    (parts.some(isConversation) && parts.some((part) => offersTools(part) || namesModel(part))) ||
    (!NO_CHAT.test(plain) && parts.some(isPrompt) && parts.some(namesModel));
  return isMeant ? { at } : undefined;
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

/** `tools/call` of the Model Context Protocol, as JSON-RPC over HTTP. */
function toolOfMcp({ jsonrpc, method, params }: JsonObject): string | undefined {
  if (jsonrpc !== '2.0' || method !== 'tools/call' || !isJsonObject(params)) return undefined;
  return typeof params['name'] === 'string' ? params['name'] : 'unknown';
}

/** One text for the model instead of messages. */
function isPrompt(part: JsonObject): boolean {
  return ['input', 'inputs', 'prompt'].some((key) => typeof part[key] === 'string');
}

const MESSAGES = /^(?:messages|contents|conversation|chat_?history|inputs?|prompt)$/i;
const TOOLS = /^(?:tools|tool_?config|functions|function_?declarations|tool_?choice)$/i;
const MODEL =
  /^(?:model|model_?id|agent_?id|model_?name|max_?(?:output_?|completion_?|new_?)?tokens|n_predict|temperature|inference_?config|generation_?config)$/i;

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
