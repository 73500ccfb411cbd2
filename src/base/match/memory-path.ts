import type { Json, JsonObject } from '../model/json.ts';
import { valueAtPath } from './json-path.ts';

/**
 * The value at a dot path of a step test, as TestHaven reads it: every segment is a key, `0` and `a[0]` too, so that only objects
 * are entered. Undefined when there is none.
 */
export function valueInMemory(memory: JsonObject, path: string): Json | undefined {
  return valueAtPath(memory, path.split('.'));
}
