import type { RecordedToolCall } from '../../model/reply.ts';
import { isJsonObject, ownValue, type Json } from '../../model/json.ts';
import { jsonEqual } from '../json-equal.ts';
import type { ExpectedCall } from './calls.ts';

export type CallComparison = 'match' | 'other_tool' | 'wrong_arguments' | 'too_slow';

/** How a call compares with an expected one: the first thing that is wrong with it. A duration not told is not too long. */
export function compareCall(expected: ExpectedCall, actual: RecordedToolCall): CallComparison {
  if (expected.tool !== actual.tool) return 'other_tool';
  if (!argumentsMatch(expected, actual.input)) return 'wrong_arguments';
  const { maxDurationMs } = expected;
  const isSlow =
    maxDurationMs !== undefined && actual.duration_ms !== undefined && actual.duration_ms > maxDurationMs;
  return isSlow ? 'too_slow' : 'match';
}

/** A call that was told without arguments has none. */
function argumentsMatch({ args, argsMatch }: ExpectedCall, input: Json = {}): boolean {
  if (args === undefined || argsMatch === 'ignore') return true;
  if (argsMatch === 'exact' || !isJsonObject(args)) return jsonEqual(args, input);
  if (!isJsonObject(input)) return false;
  return Object.keys(args).every((key) => {
    const value = ownValue(input, key);
    return value !== undefined && jsonEqual(args[key]!, value);
  });
}
