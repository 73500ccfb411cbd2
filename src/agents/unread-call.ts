import { isJsonObject, ownValue, type Json, type JsonObject } from '../model/json.ts';

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

/** Looks through a message, or any other part of a reply. */
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
    const found = isCallKey(key)
      ? unlessKnown({ at: place, form: key }, member, known)
      : findUnreadCall(member, { at: place, known });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The form of one entry of a list of calls, when it is one that Assay does not read. */
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
  /(?:tool|function)(?:use|call|invocation)?(?:uses?|calls?|invocations?|chunks?|results?|responses?|returns?|outputs?|errors?)$/;
/** Tools that a provider runs itself. */
const PROVIDER_CALL =
  /^(?:computer|websearch|filesearch|codeinterpreter|mcp|localshell|shell|imagegeneration|applypatch)call$/;
const RESULT = /(?:result|response|return|output|error)s?$/;
const OTHER_KEYS: ReadonlySet<string> = new Set([
  'toolsused',
  'toolscalled',
  'usedtools',
  'calledtools',
  'executablecode',
  'codeexecutionresult',
]);

function isCallKey(key: string): boolean {
  const word = plain(key);
  return TOOL_WORD.test(word) || OTHER_KEYS.has(word);
}

function callTypeOf(value: JsonObject): string | undefined {
  for (const key of ['type', 'part_kind']) {
    const type = ownValue(value, key);
    if (typeof type !== 'string') continue;
    const word = plain(type);
    // A part of an AI SDK message has its tool in its type: `tool-search`.
    const isPart = (word === 'dynamictool' || type.startsWith('tool-')) && Object.hasOwn(value, 'toolCallId');
    if (isPart || TOOL_WORD.test(word) || PROVIDER_CALL.test(word)) return type;
  }
  return undefined;
}

function unlessKnown(found: UnreadCall, value: Json, known: ReadonlySet<string>): UnreadCall | undefined {
  if (isNothing(value)) return undefined;
  return isKnown(Array.isArray(value) ? value : [value], found.form, known) ? undefined : found;
}

function isKnown(calls: readonly Json[], form: string, known: ReadonlySet<string>): boolean {
  if (known.size === 0) return false;
  return RESULT.test(plain(form)) || calls.every((call) => known.has(nameOf(call) ?? ''));
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
