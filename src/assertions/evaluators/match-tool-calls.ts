import { jsonDiff, type JsonDifference } from '../../match/json-diff.ts';
import { isJsonObject, ownValue, type Json, type JsonObject } from '../../model/json.ts';
import type { Message } from '../../model/message.ts';
import type { RecordedToolCall } from '../../model/reply.ts';

/** The tool calls of expected messages, in order. */
export function expectedToolCalls(messages: readonly Message[]): readonly JsonObject[] {
  return messages.flatMap((message) => {
    const calls = ownValue(message, 'tool_calls');
    return Array.isArray(calls) ? calls.filter((call: Json) => isJsonObject(call)) : [];
  });
}

/** Where the calls that were made differ: the same tools in the same order, with what is said of each call. */
export function diffToolCalls(
  expected: readonly JsonObject[],
  made: readonly RecordedToolCall[],
  partial: boolean,
): readonly JsonDifference[] {
  const wanted = expected.map(comparable);
  const actual = made.map((call, index) =>
    onlyKeysOf(wanted[index] ?? { tool: '' }, call as unknown as JsonObject),
  );
  return jsonDiff(wanted, actual, { partial, root: 'tool_calls' });
}

/** Ids, times and durations belong to one run; what an expected call does not mention is not compared. */
function comparable(call: JsonObject): JsonObject {
  return onlyKeysOf(call, { tool: nameOf(call), ...call });
}

function onlyKeysOf(wanted: JsonObject, call: JsonObject): JsonObject {
  const kept = ['tool', 'input', 'output'].filter((key) => {
    return (
      key === 'tool' || (Object.hasOwn(wanted, key) && Object.hasOwn(call, key) && call[key] !== undefined)
    );
  });
  return Object.fromEntries(kept.map((key) => [key, call[key]!]));
}

/** Expected messages are kept verbatim, and some formats call it `name`. */
function nameOf(call: JsonObject): Json {
  return ownValue(call, 'tool') ?? ownValue(call, 'name') ?? '';
}
