import { ownValue, type Json, type JsonObject } from '../../base/model/json.ts';

/** In many languages, null means that a field is absent. */
export function presentValue(object: JsonObject, key: string): Json | undefined {
  return ownValue(object, key) ?? undefined;
}
