import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';

/** A tool call, or the result of one, in a form that other tools write and Assay does not read. */
export interface UnreadCall {
  readonly at: string;
  readonly form: string;
}

export interface CallSearch {
  readonly at: string;
  /** Tools whose calls were read: the same call in another form is nothing new. */
  readonly known: ReadonlySet<string>;
}

/** Searches a message, or any other part of a reply. */
export function findUnreadCall(value: Json, { at, known }: CallSearch): UnreadCall | undefined {
  if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries()) {
      const found = findUnreadCall(item, { at: `${at}[${index}]`, known });
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const form = callTypeOf(value);
  if (form !== undefined) return isKnown([value], form, known) ? undefined : { at, form };
  for (const [key, member] of Object.entries(value)) {
    const place = at === '' ? key : `${at}.${key}`;
    const found = findInMember(key, member, { at: place, known });
    if (found !== undefined) return found;
  }
  // It answers a call, even if the call itself is not shown.
  const role = ownValue(value, 'role');
  const isResult = (role === 'tool' || role === 'function') && known.size === 0;
  return isResult ? { at, form: `a message of the role ${role}` } : undefined;
}

function findInMember(key: string, member: Json, { at, known }: CallSearch): UnreadCall | undefined {
  const word = plain(key);
  // What the model may or must call is not what it called.
  if (word === 'toolchoice') return undefined;
  if (isCallKey(word)) return unlessKnown({ at, form: key }, member, known);
  const isHint = CALL_COUNT.test(word) || (STOP_REASONS.has(word) && TOOL_WORD.test(plain(String(member))));
  if (isHint) return known.size > 0 || isNothing(member) ? undefined : { at, form: key };
  return (
    (STEP_LISTS.has(word) ? findStep(member, { at, known }) : undefined) ??
    findUnreadCall(member, { at, known })
  );
}

/** `trace: [{ tool: 'search' }]` */
function findStep(steps: Json, { at, known }: CallSearch): UnreadCall | undefined {
  if (!Array.isArray(steps)) return undefined;
  for (const [index, step] of (steps as readonly Json[]).entries()) {
    if (!isJsonObject(step)) continue;
    const key = ['tool', 'tool_name', 'toolName'].find((name) => !isNothing(ownValue(step, name) ?? null));
    if (key !== undefined && !known.has(nameOf(step) ?? '')) return { at: `${at}[${index}]`, form: key };
  }
  return undefined;
}

/** The form of one entry of a list of calls, if Assay does not read that form. */
export function unreadForm(call: Json): string | undefined {
  if (!isJsonObject(call)) return undefined;
  const key = Object.keys(call).find((name) => CALL_WRAPPERS.has(plain(name)));
  return key ?? callTypeOf(call);
}

/** `toolCalls: []`, `function_call: null` and `server_tool_use: { searches: 0 }` say that there was no call. */
export function isNothing(value: Json): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isNothing);
  return value === null || value === false || value === '' || value === 0;
}

const CALL_WRAPPERS: ReadonlySet<string> = new Set([
  'function',
  'functioncall',
  'tooluse',
  'toolcall',
  'toolname',
]);

/** `tool_use`, `tool-call`, `functionCall`, `toolInvocations`, `server_tool_use`, `function_call_output`, ... */
const TOOL_WORD =
  /(?:tool|function)(?:use|call|invocation)?(?:uses?|calls?|invocations?|requests?|executions?|chunks?|results?|responses?|returns?|outputs?|errors?)$/;
/**
 * Events of a tool, and tools that a provider runs itself: `on_tool_start`, `tool_request_user`,
 * `command_execution`.
 */
const TOOL_EVENT = /(?:tool|function)(?:request|start|execution)|computeruse|commandexecution/;
/** `web_search_call`, `mcp-call`, `shellCall`; not calls between people. */
const ANY_CALL = /(?<!phone|video|voice|audio|conference|sales)(?:[-_]call|(?<=[a-z])Call)$/;
const CALL_COUNT = /(?:tool|function)(?:call|use|invocation)s?(?:count|total)$/;
const STOP_REASONS: ReadonlySet<string> = new Set(['stopreason', 'finishreason']);
const STEP_LISTS: ReadonlySet<string> = new Set(['trace', 'traces', 'steps', 'actions', 'events']);
const RESULT = /(?:result|response|return|output|error)s?$/;
const OTHER_KEYS: ReadonlySet<string> = new Set([
  'toolsused',
  'toolscalled',
  'usedtools',
  'calledtools',
  'executablecode',
  'codeexecutionresult',
  'intermediatesteps',
]);

function isCallKey(word: string): boolean {
  return TOOL_WORD.test(word) || OTHER_KEYS.has(word);
}

function callTypeOf(value: JsonObject): string | undefined {
  for (const key of ['type', 'kind', 'part_kind', 'event']) {
    const type = ownValue(value, key);
    if (typeof type !== 'string') continue;
    const word = plain(type);
    // A part of an AI SDK message has its tool in its type: `tool-search`.
    const isPart = (word === 'dynamictool' || type.startsWith('tool-')) && Object.hasOwn(value, 'toolCallId');
    if (isPart || isCallType(type, word) || isFunctionOrTool(word, value)) return type;
  }
  return undefined;
}

function isCallType(type: string, word: string): boolean {
  return TOOL_WORD.test(word) || TOOL_EVENT.test(word) || ANY_CALL.test(type);
}

/** `{ type: 'function', function: { name } }`, but not the definition of a function, which has the same type. */
function isFunctionOrTool(word: string, value: JsonObject): boolean {
  if (word !== 'function' && word !== 'tool') return false;
  const inner = ownValue(value, 'function');
  const call = isJsonObject(inner) ? inner : value;
  if (DEFINITION_KEYS.some((key) => Object.hasOwn(call, key))) return false;
  return word === 'tool' || call === inner || Object.hasOwn(call, 'arguments');
}

const DEFINITION_KEYS = ['description', 'parameters', 'input_schema', 'inputSchema'];

function unlessKnown(found: UnreadCall, value: Json, known: ReadonlySet<string>): UnreadCall | undefined {
  if (isNothing(value)) return undefined;
  return isKnown(Array.isArray(value) ? value : [value], found.form, known) ? undefined : found;
}

function isKnown(calls: readonly Json[], form: string, known: ReadonlySet<string>): boolean {
  if (known.size === 0) return false;
  if (RESULT.test(plain(form))) return true;
  return calls.every((call) => known.has(nameOf(call) ?? '') || (form === 'tool' && isAnswerToCall(call)));
}

function isAnswerToCall(value: Json): boolean {
  return isJsonObject(value) && Object.hasOwn(value, 'tool_call_id');
}

function nameOf(call: Json): string | undefined {
  if (!isJsonObject(call)) return typeof call === 'string' ? call : undefined;
  for (const key of ['name', 'toolName', 'tool_name', 'tool']) {
    const name = ownValue(call, key);
    if (typeof name === 'string') return name;
  }
  const inner = Object.keys(call).find((key) => CALL_WRAPPERS.has(plain(key)));
  return inner === undefined ? undefined : nameOf(call[inner]!);
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[-_\s]/g, '');
}
