import { listAt, objectAt, textAt, valueAt } from '../../evidence/foreign-fields.ts';
import { isJsonObject, ownValue, type Json, type JsonObject } from '../../model/json.ts';
import type { ApiForm, AskedAnswer, ChangedResult, ChangeResult } from './api-form.ts';
import { valueText } from './result-content.ts';

/** Gemini, also in the wrapping of Code Assist. */
export const GEMINI_FORM: ApiForm = {
  errorBody: (status, message) => ({
    error: {
      code: status,
      message,
      status: KINDS.get(status) ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT'),
    },
  }),
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

const KINDS: ReadonlyMap<number, string> = new Map([
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
  const contents = valueAt(request, 'contents');
  const list = Array.isArray(contents) ? (contents as readonly Json[]) : undefined;
  if (list === undefined) return request;
  return { ...request, contents: list.map((content) => changeContent(content, change)) };
}

function changeContent(content: Json, change: ChangeResult): Json {
  const parts = isJsonObject(content) ? listAt(content, 'parts') : undefined;
  if (parts === undefined) return content;
  return { ...(content as JsonObject), parts: parts.map((part) => changePart(part, change)) };
}

function changePart(part: Json, change: ChangeResult): Json {
  if (!isJsonObject(part)) return part;
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
