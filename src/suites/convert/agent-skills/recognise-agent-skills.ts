import { isJsonList, isJsonObject, ownValue, type Json } from '../../../base/model/json.ts';
import type { SniffedFile } from '../contract.ts';

/** `{ skill_name, evals: [{ prompt, ... }] }`, or a list of `{ query, should_trigger }`. */
export function recognisesAgentSkills({ path, value }: SniffedFile): boolean {
  if (!/\.json$/i.test(path)) return false;
  if (isJsonList(value)) return value.length > 0 && value.every(isTrigger);
  if (!isJsonObject(value)) return false;
  const evals = ownValue(value, 'evals');
  if (!isJsonList(evals)) return false;
  return Object.hasOwn(value, 'skill_name') || evals.some((item) => hasKey(item, 'prompt'));
}

function isTrigger(item: Json): boolean {
  return hasKey(item, 'query') && hasKey(item, 'should_trigger');
}

function hasKey(item: Json, key: string): boolean {
  return isJsonObject(item) && Object.hasOwn(item, key);
}
