import type { Assertion } from '../../../base/model/assertion.ts';
import {
  isJsonList,
  isJsonObject,
  ownValue,
  setOwn,
  type Json,
  type JsonObject,
} from '../../../base/model/json.ts';
import type { SharedEvaluators } from '../templates/shared-evaluators.ts';
import type { SharedInput } from './shared-input.ts';

/** What a newer AgentV file adds to each of its cases, unless the case has `skip_defaults`. */
export interface SharedByCases {
  readonly evaluators?: SharedEvaluators | undefined;
  readonly input?: SharedInput | undefined;
  readonly input_files?: readonly string[] | undefined;
  /** The prompt of rubrics, and of judges without a prompt. */
  readonly rubric_prompt?: string | undefined;
}

/** Evaluators of a test, with the prompt of `options` where a judge has none. */
export function withRubricPrompt(
  evaluators: readonly Assertion[],
  prompt: string | undefined,
  vars: JsonObject | undefined,
): readonly Assertion[] {
  if (prompt === undefined) return evaluators;
  const authored = vars === undefined ? prompt : { template: prompt, vars };
  return evaluators.map((each) =>
    ['rubric', 'llm_judge'].includes(each.kind) && each.parameters['prompt'] === undefined
      ? { ...each, parameters: { ...each.parameters, prompt: authored } }
      : each,
  );
}

/** Several lists as one. */
export function joinEvaluators(
  lists: readonly (SharedEvaluators | undefined)[],
): SharedEvaluators | undefined {
  const known = lists.filter((list) => list !== undefined);
  return known.length === 0 ? undefined : (test) => known.flatMap((list) => list(test));
}

/** The metadata of a case with that of its file: lists are joined, objects merged, and else the case's own value counts. */
export function mergeMetadata(
  shared: JsonObject | undefined,
  own: JsonObject | undefined,
): JsonObject | undefined {
  if (shared === undefined || own === undefined) return own ?? shared;
  const merged: Record<string, Json> = { ...own };
  for (const key of Object.keys(shared)) {
    const [theirs, ours] = [shared[key]!, ownValue(own, key)];
    if (ours === undefined) setOwn(merged, key, theirs);
    else if (isJsonList(theirs) && isJsonList(ours)) setOwn(merged, key, joinLists(theirs, ours));
    else if (isJsonObject(theirs) && isJsonObject(ours)) setOwn(merged, key, mergeMetadata(theirs, ours)!);
  }
  return merged;
}

function joinLists(first: readonly Json[], second: readonly Json[]): readonly Json[] {
  const printed = new Set(first.map((item) => JSON.stringify(item)));
  return [...first, ...second.filter((item) => !printed.has(JSON.stringify(item)))];
}

/** `metadata`, with `governance` in it. */
export function metadataOf({
  metadata,
  governance,
}: {
  readonly metadata?: JsonObject | undefined;
  readonly governance?: JsonObject | undefined;
}): JsonObject | undefined {
  const whole = governance === undefined ? metadata : { ...metadata, governance };
  return whole === undefined ? undefined : (withMergeKeys(whole) as JsonObject);
}

/** AgentV follows the merge keys of YAML 1.1. In data that nothing else reads, they are followed here too. */
function withMergeKeys(value: Json): Json {
  if (isJsonList(value)) return value.map(withMergeKeys);
  if (!isJsonObject(value)) return value;
  const own: Record<string, Json> = {};
  for (const key of Object.keys(value)) if (key !== '<<') setOwn(own, key, withMergeKeys(value[key]!));
  const merged = ownValue(value, '<<');
  const bases = isJsonList(merged) ? merged : merged === undefined ? [] : [merged];
  if (!bases.every((base) => isJsonObject(base))) return value;
  const whole: Record<string, Json> = {};
  for (const part of [...bases.toReversed().map((base) => withMergeKeys(base) as JsonObject), own])
    for (const key of Object.keys(part)) setOwn(whole, key, part[key]!);
  return whole;
}
