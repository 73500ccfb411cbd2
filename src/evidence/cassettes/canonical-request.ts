import { MODEL_APIS } from '../apis/registry.ts';
import type { ModelCall } from '../observe/before-call.ts';
import type { CleanText } from '../../base/match/clean-text.ts';
import { pathWithoutQuery } from '../wire/recognise-model-call.ts';
import { isJsonObject, setOwn, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';

/** A request without what changes although nothing changed. Two requests with the same text are the same request. */
export interface CanonicalRequest {
  /** `POST /v1/chat/completions`: the host does not matter. */
  readonly to: string;
  readonly body: JsonObject;
}

/** Undefined: the body could not be read, so nobody can say what is asked. */
export function canonicalRequest(call: ModelCall, clean: CleanText): CanonicalRequest | undefined {
  const { method, path, request } = call;
  if (request === undefined) return method === 'GET' ? { to: addressOf(method, path), body: {} } : undefined;
  const ids = new IdNumbers();
  const body: Record<string, Json> = {};
  for (const key of orderedKeys(request)) {
    if (BOOKKEEPING.has(key)) continue;
    const isStructure = STRUCTURE.has(key) || MESSAGE_LISTS.includes(key) || key === 'request';
    const change = (field: Json): Json =>
      isStructure ? cleanPart(field, ids, clean) : cleanData(field, clean);
    setOwn(body, key, cleanField(key, request[key]!, change));
  }
  return { to: addressOf(method, path), body };
}

/** Equal for equal requests. */
export function canonicalText({ to, body }: CanonicalRequest): string {
  return `${to}\n${printJson(body)}`;
}

/** The same value with its keys in the order in which requests are compared: a person may have edited a file. */
export function inCanonicalOrder<T extends Json>(value: T): T {
  if (Array.isArray(value)) return value.map((item: Json) => inCanonicalOrder(item)) as unknown as T;
  if (!isJsonObject(value)) return value;
  const ordered: Record<string, Json> = {};
  for (const key of orderedKeys(value)) setOwn(ordered, key, inCanonicalOrder(value[key]!));
  return ordered as T;
}

/** The list in a request that grows from call to call. */
export const MESSAGE_LISTS: readonly string[] = [...new Set(MODEL_APIS.map(({ growth }) => growth.list))];

/** They say who asks, not what: no model reads them. */
const BOOKKEEPING = new Set([
  'metadata',
  'user',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'client_metadata',
  'user_prompt_id',
  'session_id',
]);

/** The same in a message: Codex writes when and in which turn it was made. */
const METADATA = /(?:^|_)metadata(?:_|$)/;

/** Fields that hold messages and parts. All others hold data, whose ids mean something. */
const STRUCTURE = new Set(MODEL_APIS.flatMap(({ growth }) => growth.parts));

/** Made anew for each call, by the provider or by the agent's framework. */
const IDS = new Set(MODEL_APIS.flatMap(({ growth }) => growth.ids));

/** Messages and calls get a new `id` in each run. The id of anything else may be content that the model reads. */
function hasOwnId(part: JsonObject): boolean {
  const { type } = part;
  const isGeminiCall = 'name' in part && ('args' in part || 'response' in part);
  return (
    isGeminiCall || 'role' in part || 'function' in part || (typeof type === 'string' && OWN_ID.test(type))
  );
}

const OWN_ID = /^(?:message|reasoning|tool_use|function|custom|\w*tool_use|\w*_call(?:_output)?)$/;

/** The provider stores the item and looks it up by its id, so the id decides what the model reads. */
function isReference(part: JsonObject): boolean {
  return (
    part['type'] === 'item_reference' || Object.keys(part).every((key) => key === 'id' || key === 'type')
  );
}

/** A hint for the provider's cache, which moves from message to message. */
function isCacheHint(key: string, value: Json): boolean {
  return key === 'cache_control' && isJsonObject(value) && typeof value['type'] === 'string';
}

/** They are names, not texts: what is ignored in texts counts here. */
const NAMES = new Set(['model', 'role', 'type', 'name', 'tool_choice']);

class IdNumbers {
  private readonly numbers = new Map<string, string>();

  numberOf(id: string): string {
    let number = this.numbers.get(id);
    if (number === undefined) this.numbers.set(id, (number = `#${this.numbers.size + 1}`));
    return number;
  }
}

function cleanPart(value: Json, ids: IdNumbers, clean: CleanText): Json {
  if (Array.isArray(value)) return value.map((item: Json) => cleanPart(item, ids, clean));
  if (!isJsonObject(value) || isReference(value)) return cleanData(value, clean);
  const part: Record<string, Json> = {};
  for (const key of orderedKeys(value)) {
    const field = value[key]!;
    if (isCacheHint(key, field) || METADATA.test(key)) continue;
    const isOwnId = IDS.has(key) || (key === 'id' && hasOwnId(value));
    if (isOwnId && typeof field === 'string') setOwn(part, key, ids.numberOf(field));
    else
      setOwn(
        part,
        key,
        cleanField(key, field, (each) => cleanBelow(key, each, ids, clean)),
      );
  }
  return part;
}

function cleanData(value: Json, clean: CleanText): Json {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((item: Json) => cleanData(item, clean));
  if (!isJsonObject(value)) return value;
  const data: Record<string, Json> = {};
  for (const key of orderedKeys(value)) {
    const field = value[key]!;
    if (!isCacheHint(key, field))
      setOwn(
        data,
        key,
        cleanField(key, field, (each) => cleanData(each, clean)),
      );
  }
  return data;
}

function cleanField(key: string, field: Json, change: (field: Json) => Json): Json {
  return NAMES.has(key) && typeof field === 'string' ? field : change(field);
}

/** An object as the content of a message is data of the tool that returned it. */
function cleanBelow(key: string, field: Json, ids: IdNumbers, clean: CleanText): Json {
  const isStructure = STRUCTURE.has(key) && !(key === 'content' && isJsonObject(field));
  return isStructure ? cleanPart(field, ids, clean) : cleanData(field, clean);
}

/** What people look for first, and what is long last. */
const FIRST = ['model', 'role', 'type', 'name', 'id', 'system', 'instructions', 'description'];
const LAST = ['tools', ...MESSAGE_LISTS];

function orderedKeys(object: JsonObject): readonly string[] {
  const keys = Object.keys(object);
  return keys.length < 2 ? keys : keys.sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
}

function rankOf(key: string): number {
  const first = FIRST.indexOf(key);
  if (first !== -1) return first - FIRST.length;
  return LAST.indexOf(key) + 1;
}

/** The whole path: what it begins with may name the model. */
function addressOf(method: string, path: string): string {
  return `${method.toUpperCase()} ${pathWithoutQuery(path)}`;
}
