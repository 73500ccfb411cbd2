import { isJsonList, isJsonObject, ownValue, type Json } from '../model/json.ts';
import type { PathSegment } from '../model/place.ts';

/** What a value holds: at a key of its own, or as an item; a negative number counts from the end. Undefined when it has none. */
export function memberOf(value: Json | undefined, segment: PathSegment): Json | undefined {
  if (typeof segment === 'number') return isJsonList(value) ? value.at(segment) : undefined;
  return isJsonObject(value) ? ownValue(value, segment) : undefined;
}

/** Undefined when nothing is there. */
export function valueAtPath(root: Json, path: readonly PathSegment[]): Json | undefined {
  let value: Json | undefined = root;
  for (const segment of path) value = memberOf(value, segment);
  return value;
}
