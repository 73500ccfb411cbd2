import type { Json, JsonObject } from '../../base/model/json.ts';

/** The usage of a response in the words of its provider. */
export function rawUsageOf(body: JsonObject): Json | undefined {
  const usage = body['usage'] ?? body['usageMetadata'];
  if (usage !== undefined && usage !== null) return usage;
  const counts = Object.entries(body).filter(([name]) => /^(?:prompt_)?eval_count$/.test(name));
  return counts.length === 0 ? undefined : Object.fromEntries(counts);
}
