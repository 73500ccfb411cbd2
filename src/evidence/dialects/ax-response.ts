import { isJsonList, isJsonObject, setOwn, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import { listAt, numberAt, objectAt, readArguments, textAt, valueAt, objectsAt } from '../foreign-fields.ts';
import { countAt, toUsage } from '../provider-usage.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import type { Trace } from '../trace.ts';
import type { Dialect } from './dialect.ts';

/** What `ai.chat` of Ax gives, and the pieces of `streamingForward`. What `forward` gives has fields of the signature alone. */
export const AX_RESPONSE: Dialect = {
  name: 'an Ax response',
  recognises: (value) =>
    isJsonList(value) ? value.length > 0 && value.every(isPiece) : isJsonObject(value) && isResponse(value),
  read: (value) =>
    isJsonList(value) ? readPieces(value as readonly JsonObject[]) : readResponse(value as JsonObject),
};

function isPiece(value: Json): boolean {
  if (objectAt(value, 'delta') === undefined) return false;
  return numberAt(value, 'version') !== undefined && numberAt(value, 'index') !== undefined;
}

function isResponse(value: JsonObject): boolean {
  const results = objectsAt(value, 'results');
  const isTold = 'modelUsage' in value || 'remoteId' in value;
  return (
    isTold && results.length > 0 && results.every((each) => 'content' in each || 'functionCalls' in each)
  );
}

/** A later version begins anew. */
function readPieces(pieces: readonly JsonObject[]): Trace {
  const version = Math.max(...pieces.map((piece) => numberAt(piece, 'version') ?? 0));
  const fields: Record<string, Json> = {};
  for (const piece of pieces) {
    if (numberAt(piece, 'version') !== version || numberAt(piece, 'index') !== 0) continue;
    for (const [key, value] of Object.entries(objectAt(piece, 'delta')!)) {
      const before = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (typeof before === 'string' && typeof value === 'string') setOwn(fields, key, before + value);
      else if (isJsonList(before) && isJsonList(value)) setOwn(fields, key, [...before, ...value]);
      else setOwn(fields, key, value);
    }
  }
  const [only, ...others] = Object.values(fields);
  return { output: typeof only === 'string' && others.length === 0 ? only : printJson(fields) };
}

function readResponse(value: JsonObject): Trace {
  const [result = {}] = objectsAt(value, 'results');
  const calls = objectsAt(result, 'functionCalls').map((call) => {
    const { name, params } = objectAt(call, 'function') ?? {};
    return {
      tool: typeof name === 'string' ? name : 'unknown',
      id: textAt(call, 'id'),
      input: readArguments(params),
    };
  });
  const used = objectAt(value, 'modelUsage');
  const tokens = objectAt(used, 'tokens');
  const model = textAt(used, 'model');
  const input = countAt(tokens, 'promptTokens');
  const output = countAt(tokens, 'completionTokens');
  // Tokens that were read from a cache are beside the prompt.
  const usage =
    input === undefined || output === undefined
      ? undefined
      : toUsage({
          input: input + (countAt(tokens, 'cacheCreationTokens') ?? 0),
          output,
          cached: countAt(tokens, 'cacheReadTokens'),
          reasoning: countAt(tokens, 'reasoningTokens', 'thoughtsTokens'),
        });
  const hasOthers = (listAt(value, 'results') ?? [])
    .slice(1)
    .some((each) => valueAt(each, 'functionCalls') !== undefined);
  const trace = traceOfEntries([{ kind: 'assistant', text: textAt(result, 'content'), calls }]);
  return {
    ...trace,
    token_usage: usage,
    models: model === undefined ? undefined : [model],
    model_calls: 1,
    is_last_response: true,
    ...(usage === undefined ? {} : { usage_complete: false }),
    ...(hasOthers ? { gap: { at: 'results[1]', form: 'another answer with calls' } } : {}),
  };
}
