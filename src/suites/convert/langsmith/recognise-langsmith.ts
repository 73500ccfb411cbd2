import { isJsonList, isJsonObject, type Json } from '../../../base/model/json.ts';
import type { SniffedFile } from '../contract.ts';

/** Examples with `inputs` and `outputs`: one per line, or a list. */
export function recognisesLangsmith({ path, value }: SniffedFile): boolean {
  if (!/\.jsonl?$/i.test(path)) return false;
  return isJsonList(value) ? value.length > 0 && value.every(isExample) : isExample(value);
}

function isExample(value: Json | undefined): boolean {
  return isJsonObject(value) && isJsonObject(value['inputs']) && Object.hasOwn(value, 'outputs');
}
