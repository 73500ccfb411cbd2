import { isJsonList, isJsonObject, type Json } from '../../../base/model/json.ts';
import type { SniffedFile } from '../contract.ts';

/** An eval set, a list of queries, or a list of named lists of queries. */
export function recognisesAdk({ path, value }: SniffedFile): boolean {
  if (!/\.json$/i.test(path)) return false;
  if (isJsonList(value)) return value.length > 0 && (value.every(isQuery) || value.every(isNamedList));
  return hasAny(value, ['eval_set_id', 'evalSetId']) || isListOfCases(value);
}

function isListOfCases(value: Json | undefined): boolean {
  if (!isJsonObject(value)) return false;
  const cases = value['eval_cases'] ?? value['evalCases'];
  return isJsonList(cases) && cases.some((item) => hasAny(item, ['eval_id', 'evalId', 'conversation']));
}

/** A list of queries that should trigger a skill has queries too. */
function isQuery(item: Json): boolean {
  return hasAny(item, ['query']) && hasAny(item, ['reference', 'expected_tool_use', 'expectedToolUse']);
}

export function isNamedList(item: Json): boolean {
  return (
    isJsonObject(item) &&
    typeof item['name'] === 'string' &&
    isJsonList(item['data']) &&
    item['data'].every((each) => hasAny(each, ['query']))
  );
}

function hasAny(value: Json | undefined, keys: readonly string[]): boolean {
  return isJsonObject(value) && keys.some((key) => Object.hasOwn(value, key));
}
