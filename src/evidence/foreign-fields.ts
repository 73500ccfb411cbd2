import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../base/model/json.ts';
import { parseJson } from '../base/model/parse-json.ts';

/*
 * Fields of JSON that others wrote, each read as the type it should have: anything else counts as missing. Several names are
 * several spellings of one field (`call_id` in Python, `callId` in JavaScript).
 */

export function textAt(object: JsonObject, ...names: readonly string[]): string | undefined {
  return firstAt(object, names, (value) => typeof value === 'string');
}

export function numberAt(object: JsonObject, ...names: readonly string[]): number | undefined {
  return firstAt(object, names, (value) => typeof value === 'number' && Number.isFinite(value));
}

export function objectAt(object: JsonObject, ...names: readonly string[]): JsonObject | undefined {
  return firstAt(object, names, isJsonObject);
}

export function listAt(object: JsonObject, ...names: readonly string[]): readonly Json[] | undefined {
  return firstAt(object, names, isJsonList);
}

/** Any value but null: Python writes null for missing values. */
export function valueAt(object: JsonObject, ...names: readonly string[]): Json | undefined {
  return firstAt(object, names, (value) => value !== null);
}

function firstAt<T extends Json>(
  object: JsonObject,
  names: readonly string[],
  fits: (value: Json) => boolean,
): T | undefined {
  for (const name of names) {
    const value = ownValue(object, name);
    if (value !== undefined && fits(value)) return value as T;
  }
  return undefined;
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
  if (!CONTAINER.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** The time of `2026-11-16T06:48:46.545Z`. */
export function timeAt(object: JsonObject, key: string): number | undefined {
  const time = Date.parse(textAt(object, key) ?? '');
  return Number.isNaN(time) ? undefined : time;
}
