import type { Json, JsonObject } from '../../../model/json.ts';
import type { AssembledStream } from '../apis/model-api.ts';
import { describeError } from '../describe-error.ts';
import { objectAt, textAt } from '../../foreign-fields.ts';
import { objectsAt } from '../objects-at.ts';

/** Joins the chunks of a streamed Gemini answer. Each chunk has the usage so far: the last counts. */
export function assembleGeminiStream(chunks: readonly JsonObject[]): AssembledStream {
  const parts: JsonObject[] = [];
  const body: Record<string, Json> = {};
  const provided: Record<string, Json> = {};
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
      if (candidate[key] !== undefined) provided[key] = candidate[key];
    finish = textAt(candidate, 'finishReason') ?? finish;
  }
  const isBlocked = textAt(objectAt(body, 'promptFeedback') ?? {}, 'blockReason') !== undefined;
  if (parts.length > 0 || finish !== undefined) {
    body['candidates'] = [
      { content: { role: 'model', parts }, finishReason: finish ?? null, ...provided },
      ...(otherParts.length > 0 ? [{ content: { role: 'model', parts: otherParts } }] : []),
    ];
  }
  return { body, isComplete: finish !== undefined || isBlocked, failure };
}

/** Pieces of one text follow one another. Thoughts and answers are kept apart. */
function addPart(parts: JsonObject[], part: JsonObject): void {
  const last = parts.at(-1);
  const text = textAt(part, 'text');
  const before = textAt(last ?? {}, 'text');
  if (
    last !== undefined &&
    text !== undefined &&
    before !== undefined &&
    last['thought'] === part['thought']
  ) {
    parts[parts.length - 1] = { ...last, text: before + text };
  } else parts.push(part);
}
