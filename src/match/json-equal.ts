import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';

/** JSON equality: `1` equals `1.0`, `true` does not equal `1`, the order of keys is free, large integers are exact. */
export function jsonEqual(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a === 'bigint' || typeof b === 'bigint') return isNumeric(a) && isNumeric(b) && a == b;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((item: Json, index) => jsonEqual(item, b[index]))
    );
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && jsonEqual(a[key]!, b[key]!))
  );
}

function isNumeric(value: Json): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

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
