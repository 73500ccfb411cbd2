import type { Json, JsonObject } from '../../../src/model/json.ts';
import { joinPath } from './json-path.ts';
import { jsonText } from './json-text.ts';

/** A changed value, and its path. */
export interface JsonChange {
  readonly path: string;
  /** Undefined: it did not exist. */
  readonly before?: Json | undefined;
  /** Undefined: it no longer exists. */
  readonly after?: Json | undefined;
}

/** The differences between two values; objects are entered, everything else is compared as a whole. */
export function jsonChanges(before: JsonObject, after: JsonObject, path = ''): readonly JsonChange[] {
  const changes: JsonChange[] = [];
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    const young = Object.hasOwn(after, key) ? after[key] : undefined;
    const place = joinPath(path, key);
    if (isObject(old) && isObject(young)) changes.push(...jsonChanges(old, young, place));
    else if (old === undefined || young === undefined || jsonText(old) !== jsonText(young))
      changes.push({ path: place, before: old, after: young });
  }
  return changes;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
