import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../base/model/json.ts';
import { tryParseJson } from '../base/model/parse-json.ts';

/*
 * Fields of JSON that others wrote, each read as the type it should have. A value of another type counts as missing, and
 * a value that is not an object has no fields. Several names are several spellings of one field (`call_id` in Python, `callId` in JavaScript).
 */

export function textAt(of: Json | undefined, ...names: readonly string[]): string | undefined {
  return firstAt(of, names, (value) => typeof value === 'string');
}

export function numberAt(of: Json | undefined, ...names: readonly string[]): number | undefined {
  return firstAt(of, names, (value) => typeof value === 'number' && Number.isFinite(value));
}

export function objectAt(of: Json | undefined, ...names: readonly string[]): JsonObject | undefined {
  return firstAt(of, names, isJsonObject);
}

export function listAt(of: Json | undefined, ...names: readonly string[]): readonly Json[] | undefined {
  return firstAt(of, names, isJsonList);
}

/** Any value but null: Python writes null for missing values. */
export function valueAt(of: Json | undefined, ...names: readonly string[]): Json | undefined {
  return firstAt(of, names, (value) => value !== null);
}

function firstAt<T extends Json>(
  of: Json | undefined,
  names: readonly string[],
  fits: (value: Json) => boolean,
): T | undefined {
  if (!isJsonObject(of)) return undefined;
  for (const name of names) {
    const value = ownValue(of, name);
    if (value !== undefined && fits(value)) return value as T;
  }
  return undefined;
}

/** The objects of a list. Anything else in it is left out. */
export function objectsAt(of: Json | undefined, name: string): readonly JsonObject[] {
  return (listAt(of, name) ?? []).filter(isJsonObject);
}

/** The result of a tool. Text that is a JSON object or list is parsed; a bare number or word stays text. */
export function readOutput(value: Json | undefined): Json | undefined {
  return typeof value === 'string' ? (parseContainer(value) ?? value) : value;
}

/** What a tool was given: models write it as JSON text, and often as no text at all when there is nothing to give. */
export function readArguments(value: Json | undefined): Json | undefined {
  if (typeof value !== 'string') return value ?? undefined;
  return value.trim() === '' ? {} : (parseContainer(value) ?? value);
}

const CONTAINER = /^\s*[[{]/;

function parseContainer(text: string): Json | undefined {
  return CONTAINER.test(text) ? tryParseJson(text) : undefined;
}

/** The time of `2026-11-16T06:48:46.545Z`. */
export function timeAt(of: Json | undefined, key: string): number | undefined {
  const time = Date.parse(textAt(of, key) ?? '');
  return Number.isNaN(time) ? undefined : time;
}
