import { isJsonObject, type Json } from '../model/json.ts';

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
