import { isJsonObject, type JsonObject } from '../base/model/json.ts';
import { listAt } from './foreign-fields.ts';

/** The objects of a list that others wrote. Anything else in it is left out. */
export function objectsAt(object: JsonObject | undefined, name: string): readonly JsonObject[] {
  return object === undefined ? [] : (listAt(object, name) ?? []).filter(isJsonObject);
}
