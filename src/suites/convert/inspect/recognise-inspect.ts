import { isJsonList, isJsonObject, type Json } from '../../../base/model/json.ts';
import type { SniffedFile } from '../contract.ts';

/** Samples with `input` and `target`: one per line, or a list. A `target` of ours is the name of a target, and stands beside evaluators. */
export function recognisesInspect({ path, value }: SniffedFile): boolean {
  if (!/\.jsonl?$/i.test(path)) return false;
  if (!isJsonList(value)) return /\.jsonl$/i.test(path) && isSample(value);
  return value.length > 0 && value.every(isSample);
}

function isSample(value: Json | undefined): boolean {
  return (
    isJsonObject(value) &&
    Object.hasOwn(value, 'input') &&
    Object.hasOwn(value, 'target') &&
    Object.keys(value).every((name) => FIELDS.has(name))
  );
}

/** Of a `Sample` of Inspect. */
const FIELDS: ReadonlySet<string> = new Set([
  'input',
  'target',
  'id',
  'choices',
  'metadata',
  'sandbox',
  'files',
  'setup',
]);
