import { isJsonObject, ownValue, type Json, type JsonObject } from './json.ts';
import { parseJson } from './parse-json.ts';

/** What agents and files call the parts of a tool call. The first name is our own. */
const NAMES = {
  tool: ['tool', 'name', 'tool_name'],
  input: ['input', 'args', 'arguments', 'parameters'],
  output: ['output', 'result'],
} as const;

export interface CallField {
  /** Under which name it was found. */
  readonly key: string;
  readonly value: Json;
}

/** A part of a tool call under any of its names. A name that holds null counts only when no other holds more. */
export function toolCallField(call: JsonObject, part: keyof typeof NAMES): CallField | undefined {
  let found: CallField | undefined;
  for (const key of NAMES[part]) {
    const value = ownValue(call, key);
    if (value === undefined) continue;
    if (value !== null) return { key, value: key === 'arguments' ? readArguments(value) : value };
    found ??= { key, value };
  }
  return found;
}

/** Models write arguments as a text that holds JSON. */
function readArguments(value: Json): Json {
  if (typeof value !== 'string') return value;
  try {
    const parsed = parseJson(value);
    return isJsonObject(parsed) ? parsed : value;
  } catch {
    return value;
  }
}
