import { isJsonObject, type Json, type JsonObject } from '../../../model/json.ts';
import type { AskedCall } from '../../entry.ts';
import { GEMINI_CONTENTS } from '../../dialects/gemini-contents.ts';
import { listAt, objectAt, textAt, valueAt } from '../../foreign-fields.ts';
import { geminiUsage } from '../../provider-usage.ts';
import { describeError } from '../describe-error.ts';
import { objectsAt } from '../objects-at.ts';
import { assembleGeminiStream } from '../streams/gemini-stream.ts';
import { hasRole, type Finish, type ModelApi, type ModelResponse } from './model-api.ts';

/** Gemini through its own API, Vertex, and Code Assist, which wraps requests and responses. */
export const GEMINI: ModelApi = {
  name: 'gemini',
  path: /:(?:generateContent|streamGenerateContent)$/,
  matchesBody: (body) => valueAt(unwrap(body), 'contents') !== undefined,
  dialect: GEMINI_CONTENTS,
  readRequest(body, path) {
    const request = unwrap(body);
    const config = objectAt(request, 'generationConfig', 'generation_config') ?? {};
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
  const calling = objectAt(config ?? {}, 'functionCallingConfig', 'function_calling_config') ?? {};
  return textAt(calling, 'mode')?.toUpperCase() === 'ANY';
}

function readResponse(outer: JsonObject): ModelResponse | undefined {
  const body = objectAt(outer, 'response') ?? outer;
  const [candidate, ...others] = objectsAt(body, 'candidates');
  const blocked = textAt(objectAt(body, 'promptFeedback') ?? {}, 'blockReason');
  const usage = objectAt(body, 'usageMetadata');
  if (candidate === undefined && blocked === undefined) {
    const error = valueAt(body, 'error');
    if (error !== undefined) return { messages: [], finish: 'stop', failure: describeError(error) };
    if (usage === undefined) return undefined;
  }
  const content = objectAt(candidate ?? {}, 'content') ?? {};
  const reason = textAt(candidate ?? {}, 'finishReason');
  const isRefused = blocked !== undefined || REFUSED.has(reason ?? '');
  return {
    id: textAt(body, 'responseId'),
    model: textAt(body, 'modelVersion'),
    messages: [{ ...content, parts: listAt(content, 'parts') ?? [], role: 'model' }],
    finish: finishOf(reason, {
      isRefused,
      asks: asksForTools(content),
    }),
    usage: usage === undefined ? undefined : geminiUsage(usage),
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
  const grounding = objectAt(candidate, 'groundingMetadata', 'grounding_metadata') ?? {};
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
