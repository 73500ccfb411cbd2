import type { Json, JsonObject } from './json.ts';

/** Whether two values print as the same JSON: the order of keys counts. */
export function isSameJson(a: Json, b: Json): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(b);
  let count = 0;
  for (const key in a) {
    if (key !== keys[count++]) return false;
    if (!isSameJson((a as JsonObject)[key]!, (b as JsonObject)[key]!)) return false;
  }
  return count === keys.length;
}
