import { isJsonObject, type Json } from '../../../base/model/json.ts';
import type { SniffedFile } from '../contract.ts';

/** Samples with `input` and `ideal`, or a registry of such evals. */
export function recognisesOpenaiEvals({ path, value }: SniffedFile): boolean {
  if (!isJsonObject(value)) return false;
  if (/\.jsonl$/i.test(path)) return Object.hasOwn(value, 'input') && Object.hasOwn(value, 'ideal');
  return Object.values(value).some(isEvalEntry);
}

/** `{ class: evals.elsuite.basic.match:Match, args: { samples_jsonl: ... } }` */
export function isEvalEntry(entry: Json): boolean {
  return (
    isJsonObject(entry) && /^evals\.[\w.]+:\w+$/.test(String(entry['class'])) && isJsonObject(entry['args'])
  );
}
