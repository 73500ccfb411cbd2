import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';

/** The target of a reference inside the same schema. */
export function resolveReference(reference: string, root: JsonObject): Json | undefined {
  if (!reference.startsWith('#')) return undefined;
  let value: Json | undefined = root;
  for (const part of reference.slice(1).split('/').slice(1)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isJsonObject(value)) return undefined;
    value = ownValue(value, key);
  }
  return value;
}
