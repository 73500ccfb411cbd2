import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';

/** The value at a dot path. Only objects are entered, by their own keys; undefined when there is none. */
export function valueAt(root: JsonObject, path: string): Json | undefined {
  let value: Json = root;
  for (const segment of path.split('.')) {
    if (!isJsonObject(value) || !Object.hasOwn(value, segment)) return undefined;
    value = value[segment]!;
  }
  return value;
}
