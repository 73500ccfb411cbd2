import { firstMatcher } from '../../base/match/matchers/read-matcher.ts';
import { shownExpected } from '../../base/match/matchers/shown-expected.ts';
import type { CallDiff } from '../../base/match/trajectory/diff-calls.ts';
import { isJsonObject, ownValue, setOwn, type Json, type JsonObject } from '../../base/model/json.ts';
import type { RecordedToolCall } from '../../base/model/reply.ts';
import type { AuthoredCall, AuthoredTrajectory } from './trajectory-fields.ts';

/** The expected calls to show beside those that were made: a matcher that holds is shown as what it met. */
export function shownTrajectory(
  authored: AuthoredTrajectory,
  calls: readonly RecordedToolCall[],
  diff: CallDiff | undefined,
): Json {
  const { expected } = authored;
  if (expected === undefined) return authored;
  if (diff === undefined || firstMatcher(expected) === undefined) return expected;
  const met = new Map(
    [...diff.matched, ...diff.wrongArguments, ...diff.outOfOrder, ...diff.tooSlow].map((pair) => [
      pair.expected,
      calls[pair.actual]!.input,
    ]),
  );
  return expected.map((call, index) => shownCall(call, met.get(index), authored));
}

function shownCall(
  call: AuthoredCall,
  input: Json | undefined,
  { args_match }: AuthoredTrajectory,
): JsonObject {
  const key = call.args === undefined ? 'input' : 'args';
  const args = call[key];
  if (args === undefined || input === undefined || firstMatcher(args) === undefined) return call;
  const isDeep = (call.args_match ?? args_match) === 'deep_partial';
  return {
    ...call,
    [key]: isDeep ? shownExpected(args, input, { partial: true }) : shownArguments(args, input),
  };
}

/** Key by key: arguments may have more keys than are expected. */
function shownArguments(args: Json, input: Json): Json {
  if (!isJsonObject(args) || !isJsonObject(input) || Object.keys(args).some((key) => key.startsWith('$')))
    return shownExpected(args, input);
  const shown: Record<string, Json> = {};
  for (const key of Object.keys(args)) setOwn(shown, key, shownExpected(args[key]!, ownValue(input, key)));
  return shown;
}
