import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import { tryParseJson } from '../../base/model/parse-json.ts';
import { MESSAGES } from '../dialects/registry.ts';
import {
  NOTHING,
  readPieces,
  unknownEntry,
  userEntries,
  assistantEntries,
  type Piece,
} from '../dialects/pieces.ts';
import type { AssistantEntry, Entry } from '../entry.ts';
import { listAt, readArguments, readOutput, textAt, valueAt } from '../foreign-fields.ts';

/** An attribute that holds JSON: structured, or as the text of it. */
export function jsonAt(attributes: JsonObject, ...names: readonly string[]): Json | undefined {
  const value = valueAt(attributes, ...names);
  return typeof value === 'string' ? tryParseJson(value) : value;
}

/** Messages in an attribute, in the form of the semantic conventions or of a provider. Undefined: the attribute is not there. */
export function messagesAt(
  attributes: JsonObject,
  ...names: readonly string[]
): readonly Entry[] | undefined {
  const value = valueAt(attributes, ...names);
  if (value === undefined || value === '') return undefined;
  const messages = jsonAt(attributes, ...names);
  const at = names.find((name) => Object.hasOwn(attributes, name))!;
  // An attribute that is too long is cut off by the exporter.
  if (messages === undefined)
    return [{ ...unknownEntry(at, value), form: 'text that is not JSON, or was cut off' }];
  return readMessages(isJsonList(messages) ? messages : [messages], at);
}

export function readMessages(messages: readonly Json[], at: string): readonly Entry[] {
  if (messages.some(hasTypedParts))
    return messages.flatMap((message, index) => readMessage(message, `${at}[${index}]`));
  const dialect = MESSAGES.find((each) => each.recognises(messages));
  if (dialect !== undefined) return dialect.read(messages, at);
  return messages.flatMap((message, index) => readMessage(message, `${at}[${index}]`));
}

function hasTypedParts(message: Json): boolean {
  const parts = listAt(message, 'parts');
  return parts?.some((part) => textAt(part, 'type') !== undefined) === true;
}

/** `{role, parts: [{type, content}]}`, or a message of text alone. */
function readMessage(message: Json, at: string): readonly Entry[] {
  if (!isJsonObject(message)) return [unknownEntry(at, message)];
  const pieces = readPieces(valueAt(message, 'parts', 'content'), at, readPart);
  switch (textAt(message, 'role')) {
    case 'system':
    case 'developer':
      return [{ kind: 'system', text: pieces.text ?? '' }];
    case 'assistant':
    case 'model':
    case 'ai':
      return assistantEntries(pieces);
    default:
      return pieces.results.length > 0 || textAt(message, 'role') === 'user'
        ? userEntries(pieces)
        : userEntries(pieces).map((entry) => (entry.kind === 'user' ? { ...entry, isContext: true } : entry));
  }
}

function readPart(part: JsonObject): Piece | undefined {
  const type = textAt(part, 'type');
  switch (type) {
    case 'text':
      return { text: textAt(part, 'content', 'text') };
    case 'refusal':
      return { refusal: textAt(part, 'content', 'refusal') };
    case 'tool_call':
    case 'server_tool_call': {
      const tool = textAt(part, 'name');
      if (tool === undefined) return undefined;
      const input = readArguments(valueAt(part, 'arguments', 'input', type));
      const by = type === 'server_tool_call' ? ({ executed_by: 'provider' } as const) : {};
      return { call: { tool, id: textAt(part, 'id'), input, ...by } };
    }
    case 'tool_call_response':
    case 'server_tool_call_response': {
      const output = readOutput(valueAt(part, 'response', 'result', 'content', type));
      return { result: { id: textAt(part, 'id'), tool: textAt(part, 'name'), output } };
    }
    default:
      return type !== undefined && SILENT.has(type) ? NOTHING : undefined;
  }
}

/** Parts that hold no call: thoughts and media. */
const SILENT: ReadonlySet<string> = new Set([
  'reasoning',
  'thinking',
  'blob',
  'file',
  'uri',
  'image',
  'image_url',
  'audio',
  'video',
  'compaction',
]);

/**
 * Lists that were flattened into attributes: `PREFIX.0.role`, `PREFIX.0.tool_calls.1.name`. Undefined: there are none. `unnest` is a
 * word that some of them repeat at each level.
 */
export function unflatten(attributes: JsonObject, prefix: string): readonly JsonObject[] | undefined {
  const root: MutableTree = {};
  let isFound = false;
  for (const key of Object.keys(attributes)) {
    if (!key.startsWith(`${prefix}.`)) continue;
    const path = key.slice(prefix.length + 1).split('.');
    if (path.length > 12 || path.some((word) => word === '__proto__')) continue;
    isFound = true;
    let tree = root;
    for (const word of path.slice(0, -1)) {
      const next = Object.hasOwn(tree, word) ? tree[word] : undefined;
      tree =
        typeof next === 'object' && next !== null && !isJsonList(next as Json)
          ? (next as MutableTree)
          : (tree[word] = {});
    }
    tree[path.at(-1)!] = attributes[key]!;
  }
  return isFound ? (toList(root) as readonly JsonObject[]) : undefined;
}

interface MutableTree {
  [key: string]: Json | MutableTree;
}

/** The items of a tree whose keys are numbers, in their order. */
export function toList(tree: Json | undefined): readonly Json[] {
  if (!isJsonObject(tree)) return [];
  return Object.keys(tree)
    .filter((key) => /^\d{1,9}$/.test(key))
    .sort((one, other) => Number(one) - Number(other))
    .map((key) => tree[key]!);
}

/** The only thing that a list of entries says, if it is a text of the model. */
export function answerText(entries: readonly Entry[] | undefined): string | undefined {
  const said = entries?.findLast((entry): entry is AssistantEntry => entry.kind === 'assistant');
  return said?.text;
}
