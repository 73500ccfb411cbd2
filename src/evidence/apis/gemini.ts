import { isJsonObject, ownValue, setOwn, type Json, type JsonObject } from '../../base/model/json.ts';
import { GEMINI_CONTENTS } from '../dialects/gemini-contents.ts';
import type { AskedCall } from '../entry.ts';
import { listAt, objectAt, textAt, valueAt, objectsAt } from '../foreign-fields.ts';
import { geminiUsage } from '../provider-usage.ts';
import { describeError } from './describe-error.ts';
import {
  hasRole,
  type AskedAnswer,
  type AssembledStream,
  type ChangedResult,
  type ChangeResult,
  type Finish,
  type ModelApi,
  type ModelResponse,
} from './model-api.ts';
import { valueText, mapItems } from './result-content.ts';

/** Gemini through its own API, Vertex, and Code Assist, which wraps requests and responses. */
export const GEMINI: ModelApi = {
  name: 'gemini',
  path: /:(?:generateContent|streamGenerateContent)$/,
  matchesBody: (body) => valueAt(unwrap(body), 'contents') !== undefined,
  dialect: GEMINI_CONTENTS,
  readRequest(body, path) {
    const request = unwrap(body);
    const config = objectAt(request, 'generationConfig', 'generation_config');
    return {
      model: /(?:[mM]odels|endpoints)\/([^/:]+):\w+$/.exec(path)?.[1] ?? textAt(body, 'model'),
      isStreamed: path.endsWith(':streamGenerateContent'),
      system: valueAt(request, 'systemInstruction', 'system_instruction'),
      messages: readContents(valueAt(request, 'contents')),
      tools: objectsAt(request, 'tools').flatMap(toolNames),
      hasHiddenTools: valueAt(request, 'cachedContent', 'cached_content') !== undefined,
      isToolForced: isForced(objectAt(request, 'toolConfig', 'tool_config')),
      isStructured: (textAt(config, 'responseMimeType', 'response_mime_type') ?? '').includes('json'),
    };
  },
  readResponse,
  assembleStream: assembleGeminiStream,
  isFromModel: (message) => hasRole(message, 'model'),
  isFromUser: (message) =>
    isJsonObject(message) &&
    !hasRole(message, 'model') &&
    objectsAt(message, 'parts').some((part) => 'text' in part),
  addresses: [
    {
      variables: ['GOOGLE_GEMINI_BASE_URL', 'GEMINI_BASE_URL', 'GEMINI_API_BASE', 'GOOGLE_API_BASE'],
      standard: {
        address: 'https://generativelanguage.googleapis.com',
        version: '/v1beta',
        variables: ['GOOGLE_GEMINI_BASE_URL'],
      },
    },
    { variables: ['GOOGLE_VERTEX_BASE_URL'] },
  ],
  growth: {
    list: 'contents',
    parts: ['contents', 'parts', 'functionCall', 'function_call', 'functionResponse', 'function_response'],
    ids: [],
  },
  asReply: {
    name: 'a Gemini response',
    isBody: isResponse,
    isEvent: isResponse,
    isKnownEvent: (event) =>
      ['candidates', 'usageMetadata', 'promptFeedback', 'error'].some((name) => name in event),
    historyOf: (body) => listAt(body, 'automaticFunctionCallingHistory') ?? [],
    normalise: (body) => {
      const camel = withCamelFields(body);
      const candidates = listAt(camel, 'candidates');
      return candidates === undefined ? camel : { ...camel, candidates: candidates.map(normaliseCandidate) };
    },
  },
  errorBody: geminiError,
  answerBody(text, asked) {
    const body = answerOf(text, asked);
    return isList(asked) ? [body] : body;
  },
  answerEvents: (text, asked) => (isList(asked) ? undefined : [{ data: answerOf(text, asked) }]),
  mapResults(request, change) {
    const inner = objectAt(request, 'request');
    return inner === undefined
      ? changeContents(request, change)
      : { ...request, request: changeContents(inner, change) };
  },
};

function unwrap(body: JsonObject): JsonObject {
  return objectAt(body, 'request') ?? body;
}

/** One content may stand without its list, and without its role. */
function readContents(contents: Json | undefined): readonly Json[] {
  const list = Array.isArray(contents)
    ? (contents as readonly Json[])
    : contents === undefined
      ? []
      : [contents];
  return list.map((content) => {
    if (typeof content === 'string') return { role: 'user', parts: [{ text: content }] };
    return isJsonObject(content) && textAt(content, 'role') === undefined
      ? { ...content, role: 'user' }
      : content;
  });
}

function toolNames(tool: JsonObject): readonly string[] {
  const declared = ['functionDeclarations', 'function_declarations'].flatMap((key) => objectsAt(tool, key));
  return declared.length === 0 ? Object.keys(tool) : declared.flatMap((each) => textAt(each, 'name') ?? []);
}

function isForced(config: JsonObject | undefined): boolean {
  const calling = objectAt(config, 'functionCallingConfig', 'function_calling_config') ?? {};
  return textAt(calling, 'mode')?.toUpperCase() === 'ANY';
}

function readResponse(outer: JsonObject): ModelResponse | undefined {
  const body = objectAt(outer, 'response') ?? outer;
  const [candidate, ...others] = objectsAt(body, 'candidates');
  const blocked = textAt(objectAt(body, 'promptFeedback'), 'blockReason');
  const usage = objectAt(body, 'usageMetadata');
  if (candidate === undefined && blocked === undefined) {
    const error = valueAt(body, 'error');
    if (error !== undefined) return { messages: [], finish: 'stop', failure: describeError(error) };
    if (usage === undefined) return undefined;
  }
  const content = objectAt(candidate, 'content') ?? {};
  const reason = textAt(candidate, 'finishReason');
  const isRefused = blocked !== undefined || REFUSED.has(reason ?? '');
  return {
    id: textAt(body, 'responseId'),
    model: textAt(body, 'modelVersion'),
    messages: [{ ...content, parts: listAt(content, 'parts') ?? [], role: 'model' }],
    finish: finishOf(reason, {
      isRefused,
      asks: asksForTools(content),
    }),
    usage: geminiUsage(usage),
    provided: providedCalls(candidate ?? {}),
    isRefused,
    hasOtherCalls: others.some((other) => asksForTools(objectAt(other, 'content') ?? {})),
  };
}

function asksForTools(content: JsonObject): boolean {
  return objectsAt(content, 'parts').some((part) => 'functionCall' in part);
}

function finishOf(reason: string | undefined, facts: { isRefused: boolean; asks: boolean }): Finish {
  if (facts.isRefused) return 'blocked';
  if (reason === 'MAX_TOKENS') return 'length';
  return facts.asks || LOST_CALLS.has(reason ?? '') ? 'tool_calls' : 'stop';
}

/** The model asked for tools, and the response does not say for which. */
const LOST_CALLS: ReadonlySet<string> = new Set([
  'UNEXPECTED_TOOL_CALL',
  'MALFORMED_FUNCTION_CALL',
  'TOO_MANY_TOOL_CALLS',
]);

/** Searches and pages that the provider looked up itself. */
function providedCalls(candidate: JsonObject): readonly AskedCall[] {
  const grounding = objectAt(candidate, 'groundingMetadata', 'grounding_metadata');
  const queries = listAt(grounding, 'webSearchQueries') ?? listAt(grounding, 'web_search_queries') ?? [];
  const pages = objectAt(candidate, 'urlContextMetadata', 'url_context_metadata');
  return [
    ...(queries.length === 0 ? [] : [provided('google_search', { queries })]),
    ...(pages === undefined ? [] : [provided('url_context', pages)]),
  ];
}

function provided(tool: string, input: Json): AskedCall {
  return { tool, input, executed_by: 'provider' };
}

const REFUSED: ReadonlySet<string> = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
]);

/** Joins the chunks of a streamed Gemini answer. Each chunk has the usage so far: the last counts. */
function assembleGeminiStream(chunks: readonly JsonObject[]): AssembledStream {
  const parts: JsonObject[] = [];
  const body: Record<string, Json> = {};
  const beside: Record<string, Json> = {};
  let finish: string | undefined;
  let failure: string | undefined;
  const otherParts: JsonObject[] = [];
  for (const outer of chunks) {
    const chunk = objectAt(outer, 'response') ?? outer;
    if (chunk['error'] !== undefined) failure = describeError(chunk['error']);
    for (const key of ['modelVersion', 'responseId', 'usageMetadata', 'promptFeedback']) {
      if (chunk[key] !== undefined) body[key] = chunk[key];
    }
    const [candidate = {}, ...others] = objectsAt(chunk, 'candidates');
    for (const other of others) otherParts.push(...objectsAt(objectAt(other, 'content'), 'parts'));
    for (const part of objectsAt(objectAt(candidate, 'content'), 'parts')) addPart(parts, part);
    for (const key of ['groundingMetadata', 'urlContextMetadata'])
      if (candidate[key] !== undefined) beside[key] = candidate[key];
    finish = textAt(candidate, 'finishReason') ?? finish;
  }
  const isBlocked = textAt(objectAt(body, 'promptFeedback'), 'blockReason') !== undefined;
  if (parts.length > 0 || finish !== undefined) {
    body['candidates'] = [
      { content: { role: 'model', parts }, finishReason: finish ?? null, ...beside },
      ...(otherParts.length > 0 ? [{ content: { role: 'model', parts: otherParts } }] : []),
    ];
  }
  return { body, isComplete: finish !== undefined || isBlocked, failure };
}

/** Pieces of one text follow one another. Thoughts and answers are kept apart. */
function addPart(parts: JsonObject[], part: JsonObject): void {
  const last = parts.at(-1);
  const text = textAt(part, 'text');
  const before = textAt(last, 'text');
  if (
    last !== undefined &&
    text !== undefined &&
    before !== undefined &&
    last['thought'] === part['thought']
  ) {
    parts[parts.length - 1] = { ...last, text: before + text };
  } else parts.push(part);
}

export function geminiError(status: number, message: string): JsonObject {
  const kind = ERROR_KINDS.get(status) ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT');
  return { error: { code: status, message, status: kind } };
}

const ERROR_KINDS: ReadonlyMap<number, string> = new Map([
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [409, 'ABORTED'],
  [429, 'RESOURCE_EXHAUSTED'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
]);

/** Without `alt=sse` a stream is a JSON array. */
function isList({ path }: AskedAnswer): boolean {
  return path.includes(':streamGenerateContent') && !/[?&]alt=sse(?:&|$)/.test(path);
}

function answerOf(text: string, { id, model, request }: AskedAnswer): JsonObject {
  const body = {
    candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 },
    modelVersion: model,
    responseId: id,
  };
  return objectAt(request, 'request') === undefined ? body : { response: body };
}

function changeContents(request: JsonObject, change: ChangeResult): JsonObject {
  return mapItems(request, 'contents', (content) =>
    mapItems(content, 'parts', (part) => changePart(part, change)),
  );
}

function changePart(part: JsonObject, change: ChangeResult): JsonObject {
  const key = ['functionResponse', 'function_response'].find((name) => isJsonObject(ownValue(part, name)));
  if (key === undefined) return part;
  const result = part[key] as JsonObject;
  const response = valueAt(result, 'response') ?? {};
  const wrapper = wrapperOf(response);
  const given = wrapper === undefined ? response : (response as JsonObject)[wrapper]!;
  const changed = change({ id: textAt(result, 'id'), tool: textAt(result, 'name'), text: valueText(given) });
  if (changed === undefined) return part;
  return { ...part, [key]: { ...result, response: rewrap(response, wrapper, changed) } };
}

/** Gemini takes objects only, so frameworks put what a tool gave back into one: `{result: ...}`. */
function wrapperOf(response: Json): string | undefined {
  if (!isJsonObject(response)) return undefined;
  const keys = Object.keys(response).filter((key) => key !== 'name');
  return keys.length === 1 && WRAPPERS.has(keys[0]!) ? keys[0] : undefined;
}

const WRAPPERS: ReadonlySet<string> = new Set(['output', 'result', 'content', 'error']);

function rewrap(response: Json, wrapper: string | undefined, { value }: ChangedResult): JsonObject {
  if (wrapper !== undefined) return { ...(response as JsonObject), [wrapper]: value };
  return isJsonObject(value) ? value : { output: value };
}

function isResponse(body: JsonObject): boolean {
  const candidate = listAt(body, 'candidates')?.[0];
  if (isJsonObject(candidate)) {
    const isEmpty = 'finishReason' in candidate || 'finish_reason' in candidate;
    return listAt(objectAt(candidate, 'content'), 'parts') !== undefined || isEmpty;
  }
  const hasUsage = objectAt(body, 'usageMetadata', 'usage_metadata') !== undefined;
  return hasUsage && objectAt(body, 'promptFeedback', 'prompt_feedback') !== undefined;
}

function normaliseCandidate(candidate: Json): Json {
  return isJsonObject(candidate) ? withCamelFields(candidate) : candidate;
}

/** `usage_metadata` -> `usageMetadata`. Fields of fields stay: they may be the user's own. */
function withCamelFields(object: JsonObject): JsonObject {
  const renamed: Record<string, Json> = {};
  for (const [key, value] of Object.entries(object)) {
    if (value !== null)
      setOwn(
        renamed,
        key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
        value,
      );
  }
  return renamed;
}
