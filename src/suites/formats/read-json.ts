import type { Json } from '../../base/model/json.ts';
import { isCleanJson } from './clean-json.ts';
import { readStrictJson, type ReadJson } from './strict-json.ts';

/** Strict JSON: by JSON.parse when that is known to be right; by the slower reader when it is not. */
export function readJson(text: string): ReadJson {
  try {
    const value = JSON.parse(text) as Json;
    if (isCleanJson(text, value)) return { value };
  } catch {
    // Said better, and with its place, by the other reader.
  }
  return readStrictJson(text);
}
