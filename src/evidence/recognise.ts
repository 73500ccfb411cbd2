import { isJsonObject, type Json } from '../base/model/json.ts';
import type { AskedStep, Dialect } from './dialects/dialect.ts';
import { DIALECTS } from './dialects/registry.ts';
import type { Trace } from './trace.ts';

export interface RecognisedTrace extends Trace {
  /** For messages: "an AI SDK result". */
  readonly dialect: string;
}

/** Reads what a framework returns or prints. Undefined: it is nothing known. */
export function recognise(value: Json, step: AskedStep): RecognisedTrace | undefined {
  const dialect = findDialect(value);
  return dialect === undefined ? undefined : { ...dialect.read(value, step), dialect: dialect.name };
}

/** Whether a value is what a framework returns or prints. */
export function isRecognised(value: Json): boolean {
  return findDialect(value) !== undefined;
}

function findDialect(value: Json): Dialect | undefined {
  return isOwnReply(value) ? undefined : DIALECTS.find((each) => each.recognises(value));
}

/** Fast agents reply so by the hundred thousand. */
function isOwnReply(value: Json): boolean {
  if (!isJsonObject(value) || typeof value['output'] !== 'string') return false;
  for (const key in value) if (!OWN_FIELDS.has(key)) return false;
  return true;
}

/** With them alone, no framework writes anything. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  'output',
  'tools_used',
  'tool_calls',
  'memory',
  'token_usage',
  'cost_usd',
  'duration_ms',
]);
