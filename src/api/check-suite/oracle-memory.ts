import { isJsonObject, ownValue, setOwn, type Json, type JsonObject } from '../../model/json.ts';
import type { WantedReply, WantedValue } from '../../model/wanted-reply.ts';

/** Memory that has all that is wanted, and keeps what was there before. */
export function oracleMemory(
  before: JsonObject,
  { memory, memory_values = [] }: Pick<WantedReply, 'memory' | 'memory_values'>,
): JsonObject {
  if (memory !== undefined) return memory;
  // A value for example gives way to one that is wanted exactly.
  const ordered = memory_values.toSorted((a, b) => Number(b.isSample === true) - Number(a.isSample === true));
  return ordered.reduce(withValue, before);
}

export function withValue(memory: JsonObject, { path, value }: WantedValue): JsonObject {
  return put(memory, path.split('.'), value);
}

function put(into: JsonObject, [key, ...deeper]: readonly string[], value: Json): JsonObject {
  const copy: Record<string, Json> = {};
  for (const other of Object.keys(into)) setOwn(copy, other, into[other]!);
  const inner = ownValue(into, key!);
  setOwn(copy, key!, deeper.length === 0 ? value : put(isJsonObject(inner) ? inner : {}, deeper, value));
  return copy;
}
