import { ownValue, type Json, type JsonObject } from '../model/json.ts';

/** Null is how many languages say that a field is not there. */
export function presentValue(object: JsonObject, key: string): Json | undefined {
  return ownValue(object, key) ?? undefined;
}
