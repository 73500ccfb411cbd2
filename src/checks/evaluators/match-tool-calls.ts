import { jsonDiff, type JsonDifference } from '../../base/match/json-diff.ts';
import { asData, firstMatcher, matchesAbsent } from '../../base/match/matchers/read-matcher.ts';
import { shownExpected } from '../../base/match/matchers/shown-expected.ts';
import { isSameTool } from '../../base/match/same-tool.ts';
import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { Message } from '../../base/model/message.ts';
import type { RecordedToolCall } from '../../base/model/reply.ts';
import { toolCallField } from '../../base/model/tool-call-fields.ts';
import { plainCalls } from '../made-calls.ts';

/** The tool calls of expected messages, in order. Undefined: no message says anything about calls; empty: one says that there are none. */
export function expectedToolCalls(messages: readonly Message[]): readonly JsonObject[] | undefined {
  const lists = messages
    .map((message) => ownValue(message, 'tool_calls'))
    .filter((calls) => isJsonList(calls));
  return lists.length === 0 ? undefined : lists.flat().filter((call) => isJsonObject(call));
}

/** Where the calls that were made differ: the same tools in the same order, with what is said of each call. */
export function diffToolCalls(
  expected: readonly JsonObject[],
  made: readonly RecordedToolCall[],
  partial: boolean,
): readonly JsonDifference[] {
  const wanted = expected.map(comparableCall);
  const actual = plainCalls(made).map((call, index) => onlyKeysOf(wanted[index] ?? { tool: '' }, call));
  return jsonDiff(wanted, actual, { partial, root: 'tool_calls' });
}

/** The expected calls to show beside those that were made: a matcher that holds is shown as what it met. */
export function shownCalls(
  expected: readonly JsonObject[],
  made: readonly RecordedToolCall[],
  partial: boolean,
): readonly Json[] {
  return expected.map((call, index) => {
    const { input, output, ...rest } = comparableCall(call);
    if (firstMatcher(input) === undefined && firstMatcher(output) === undefined) return call;
    const parts = { input, output };
    const shown = (['input', 'output'] as const).flatMap((part) =>
      parts[part] === undefined ? [] : [[part, shownExpected(parts[part], made[index]?.[part], { partial })]],
    );
    return { ...rest, ...(Object.fromEntries(shown) as JsonObject) };
  });
}

interface UnreportedPart {
  readonly tool: string;
  readonly part: 'input' | 'output';
  /** It counts as one of the differences. What may be absent does not, although nobody knows whether it is. */
  readonly isDifference: boolean;
}

/** The result of comparing the calls, and which parts of them the agent did not report. */
export function unreportedParts(
  expected: readonly JsonObject[],
  made: readonly RecordedToolCall[],
): readonly UnreportedPart[] {
  return expected.flatMap((call, index) => {
    const wanted = comparableCall(call);
    const actual = made[index];
    if (actual === undefined || !isSameTool(String(wanted.tool), actual.tool)) return [];
    return (['input', 'output'] as const)
      .filter((part) => wanted[part] !== undefined && actual[part] === undefined)
      .map((part) => ({ tool: actual.tool, part, isDifference: !matchesAbsent(wanted[part]!) }));
  });
}

/** Ids, times and durations belong to one run; what an expected call does not mention is not compared. */
export function comparableCall(call: JsonObject): JsonObject & { readonly tool: Json } {
  // Expected messages are kept verbatim, so their calls may use any of the names that are read.
  const parts = (['tool', 'input', 'output'] as const).flatMap((part) => {
    const field = toolCallField(call, part);
    if (field === undefined) return [];
    const { key, value } = field;
    return [[part, typeof call[key] === 'string' ? asData(value) : value] as const];
  });
  return { tool: '', ...Object.fromEntries(parts) };
}

function onlyKeysOf(wanted: JsonObject, call: JsonObject): JsonObject {
  const kept = Object.keys(wanted).filter((key) => Object.hasOwn(call, key) && call[key] !== undefined);
  return Object.fromEntries(kept.map((key) => [key, key === 'tool' ? nameOf(wanted, call) : call[key]!]));
}

/** One tool has one name here, with or without that of its MCP server. */
function nameOf(wanted: JsonObject, call: JsonObject): Json {
  const [one, other] = [wanted['tool'], call['tool']];
  return typeof one === 'string' && typeof other === 'string' && isSameTool(one, other) ? one : other!;
}
