import { isJsonObject, setOwn, type Json, type JsonObject } from '../../model/json.ts';
import { listAt, objectAt } from '../foreign-fields.ts';
import { GEMINI } from '../wire/apis/gemini.ts';
import { modelResponse } from './model-response.ts';

/** What `generateContent` gives, and the chunks of its stream. Python writes fields with underscores. */
export const GEMINI_RESPONSE = modelResponse({
  name: 'a Gemini response',
  api: GEMINI,
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
});

function isResponse(body: JsonObject): boolean {
  const candidate = listAt(body, 'candidates')?.[0];
  if (isJsonObject(candidate)) {
    const isEmpty = 'finishReason' in candidate || 'finish_reason' in candidate;
    return listAt(objectAt(candidate, 'content') ?? {}, 'parts') !== undefined || isEmpty;
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
