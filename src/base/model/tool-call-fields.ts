import { isJsonObject, ownValue, type Json, type JsonObject } from './json.ts';
import { parseJson } from './parse-json.ts';

/** The names that agents and files use for the parts of a tool call. The first is our own. */
const NAMES = {
  tool: ['tool', 'name', 'tool_name'],
  input: ['input', 'args', 'arguments', 'parameters'],
  output: ['output', 'result'],
} as const;

export interface CallField {
  /** The name under which it was found. */
  readonly key: string;
  readonly value: Json;
}

/** A part of a tool call under any of its names. A null counts only if no other name has a value. */
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

/** Models write arguments as a string that contains JSON. */
function readArguments(value: Json): Json {
  if (typeof value !== 'string') return value;
  try {
    const parsed = parseJson(value);
    return isJsonObject(parsed) ? parsed : value;
  } catch {
    return value;
  }
}
