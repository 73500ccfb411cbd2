import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { PathSegment } from '../../base/model/place.ts';

/** A value of another tool's file, and where it stands. */
export interface ForeignValue {
  readonly value: Json;
  readonly path: readonly PathSegment[];
}

/** The value under a key; undefined if it is absent or null. */
export function fieldOf({ value, path }: ForeignValue, key: string): ForeignValue | undefined {
  const found = isJsonObject(value) ? (ownValue(value, key) ?? null) : null;
  return found === null ? undefined : { value: found, path: [...path, key] };
}

/** The items of a list; none if this is not a list. */
export function itemsOf(field: ForeignValue | undefined): readonly ForeignValue[] {
  if (field === undefined || !isJsonList(field.value)) return [];
  return field.value.map((value, index) => ({ value, path: [...field.path, index] }));
}

export function textOf(field: ForeignValue | undefined): string | undefined {
  return typeof field?.value === 'string' ? field.value : undefined;
}

/** The fields of an object that are not null and not among these. */
export function otherFields(
  { value, path }: ForeignValue,
  known: ReadonlySet<string>,
): readonly ForeignValue[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value)
    .filter(([key, item]) => item !== null && !known.has(key))
    .map(([key, item]) => ({ value: item, path: [...path, key] }));
}

/** An object without the fields that are undefined. */
export function given(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;
}
