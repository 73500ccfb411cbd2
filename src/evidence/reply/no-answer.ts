import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import { closest, quoteName } from '../../base/schema/did-you-mean.ts';
import { knownFramework } from './known-framework.ts';
import { isNothing } from './unread-call.ts';

/** One of these fields contains the answer. */
const ANSWER_FIELDS = ['output', 'text', 'output_messages'];
/** Other names for it. */
const OTHER_NAMES = new Set(['answer', 'completion', 'content', 'message', 'reply', 'response', 'result']);

export function hasAnswer(reply: JsonObject): boolean {
  return ANSWER_FIELDS.some((field) => Object.hasOwn(reply, field));
}

/** What an object without an answer is, as the end of a sentence that names it. */
export function describeNoAnswer(reply: JsonObject): string {
  const keys = Object.keys(reply);
  if (keys.length === 0) return 'is an empty object';
  if (isOnlyAnError(reply)) return `contains only an error: ${shorten(printJson(reply))}`;
  const meant = findMisnamed(reply);
  const guess = meant && `did you mean \`${meant.field}\` by ${quoteName(meant.key)}?`;
  const help = knownFramework(reply) ?? guess;
  const hint = help === undefined ? '' : ` (${help})`;
  return `has no \`output\`, \`text\` or \`output_messages\`, only ${keys.slice(0, 10).map(quoteName).join(', ')}${hint}`;
}

export interface Misnamed {
  readonly key: string;
  readonly field: string;
}

/** The field of an object without an answer that its author may have meant as the answer. */
export function findMisnamed(reply: Json | undefined): Misnamed | undefined {
  if (!isJsonObject(reply) || hasAnswer(reply)) return undefined;
  for (const key of Object.keys(reply)) {
    const field = OTHER_NAMES.has(key) ? 'output' : closest(key, ANSWER_FIELDS);
    if (field !== undefined) return { key, field };
  }
  return undefined;
}

/** Whether it has a field that only replies have: an answer in JSON of another shape may well have a `memory`. */
export function hasReplyField(reply: JsonObject): boolean {
  return Object.entries(REPLY_FIELDS).some(([key, isFit]) => {
    const value = ownValue(reply, key);
    return value !== undefined && isFit(value);
  });
}

const REPLY_FIELDS: Readonly<Record<string, (value: Json) => boolean>> = {
  tools_used: (value) => Array.isArray(value) || typeof value === 'string',
  tool_calls: Array.isArray,
  token_usage: isJsonObject,
};

/** An error, and only what people write beside one. */
export function isOnlyAnError(reply: JsonObject): boolean {
  const entries = Object.entries(reply).filter(([key, value]) => value !== null && !isEmptyPlace(key, value));
  const isFailure =
    entries.some(([key, value]) => ERROR_KEYS.has(key) && value !== false && value !== '' && value !== 0) ||
    (entries.some(([key, value]) => saysFailure(key, value)) && entries.some(([key]) => REASONS.has(key)));
  return (
    isFailure &&
    entries.every(
      ([key]) =>
        [ERROR_KEYS, REASONS, BESIDE_ERRORS].some((names) => names.has(key)) ||
        Object.hasOwn(REPLY_FIELDS, key),
    )
  );
}

/** The field of an object with an answer that says that something went wrong, if there is one. */
export function findFailure(reply: JsonObject): string | undefined {
  return Object.keys(reply).find((key) => {
    const value = reply[key]!;
    return ERROR_KEYS.has(key) ? !isNothing(value) : saysFailure(key, value);
  });
}

/** `data: {}` is where the answer would be. */
function isEmptyPlace(key: string, value: Json): boolean {
  return (
    ANSWER_PLACES.has(key) &&
    (value === '' || (typeof value === 'object' && Object.keys(value!).length === 0))
  );
}

const ANSWER_PLACES: ReadonlySet<string> = new Set(['choices', 'data', 'response', 'result', 'results']);

function saysFailure(key: string, value: Json): boolean {
  if (key === 'ok' || key === 'success') return value === false;
  return (key === 'status' || key === 'type') && /^(?:error|fail(?:ed|ure)?)$/i.test(String(value));
}

const ERROR_KEYS: ReadonlySet<string> = new Set([
  'error',
  'errors',
  'Error',
  'errorMessage',
  'error_message',
  'err',
  'exception',
  'traceback',
  'fault',
]);
const REASONS: ReadonlySet<string> = new Set(['detail', 'details', 'message', 'msg', 'reason', 'title']);
const BESIDE_ERRORS: ReadonlySet<string> = new Set([
  'code',
  'cost_usd',
  'created',
  'duration_ms',
  'errorCode',
  'errorType',
  'error_code',
  'error_description',
  'error_type',
  'hint',
  'id',
  'memory',
  'model',
  'name',
  'object',
  'ok',
  'param',
  'path',
  'requestId',
  'request_id',
  'stack',
  'status',
  'statusCode',
  'status_code',
  'success',
  'timestamp',
  'trace_id',
  'type',
  'usage',
]);

function shorten(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 299)}…`;
}
