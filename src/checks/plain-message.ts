import { isJsonObject, ownValue, type Json, type JsonObject } from '../base/model/json.ts';
import type { Message } from '../base/model/message.ts';
import { toolCallField } from '../base/model/tool-call-fields.ts';

/**
 * A message for scripts that check its form strictly: an absent field is missing instead of null, and a tool call
 * has its parts under their first names, beside the agent's own names. Everything else stays as it is.
 */
export function plainMessage(message: Message): JsonObject {
  const calls = ownValue(message, 'tool_calls');
  const plain = withoutNulls(message, ['content', 'tool_calls', 'name', 'timestamp', 'metadata']);
  return Array.isArray(calls) ? { ...plain, tool_calls: calls.map(plainCall) } : plain;
}

function plainCall(call: Json): Json {
  if (!isJsonObject(call)) return call;
  const inner = ownValue(call, 'function') ?? null;
  // Providers wrap name and arguments: `{ type: function, function: { name, arguments } }`.
  const given = isJsonObject(inner) ? { ...inner, ...call } : call;
  const named: Record<string, Json> = {};
  for (const part of ['tool', 'input', 'output'] as const) {
    const value = toolCallField(given, part)?.value;
    if (value !== undefined) named[part] = value;
  }
  return withoutNulls({ ...call, ...named }, ['id', 'timestamp']);
}

function withoutNulls(object: JsonObject, keys: readonly string[]): JsonObject {
  if (!keys.some((key) => ownValue(object, key) === null)) return object;
  return Object.fromEntries(
    Object.entries(object).filter(([key, value]) => value !== null || !keys.includes(key)),
  );
}
