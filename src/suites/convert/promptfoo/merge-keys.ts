import { isJsonList, isJsonObject, setOwn, type Json, type JsonObject } from '../../../base/model/json.ts';

/** Replaces each `<<` by the fields it stands for: promptfoo reads YAML with merge keys. A field beside it wins. */
export function mergeKeys(value: Json): Json {
  if (isJsonList(value)) return value.map(mergeKeys);
  if (!isJsonObject(value)) return value;
  const merged: Record<string, Json> = {};
  for (const source of mergedObjects(value['<<']))
    for (const key of Object.keys(source)) if (!Object.hasOwn(merged, key)) setOwn(merged, key, source[key]!);
  for (const key of Object.keys(value)) if (key !== '<<') setOwn(merged, key, mergeKeys(value[key]!));
  return merged;
}

function mergedObjects(value: Json | undefined): readonly JsonObject[] {
  const list = value === undefined ? [] : isJsonList(value) ? value : [value];
  return list.map(mergeKeys).filter((each) => isJsonObject(each)) as readonly JsonObject[];
}
