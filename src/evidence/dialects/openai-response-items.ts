import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { AskedCall, Entry, UnknownEntry } from '../entry.ts';
import { listAt, readArguments, readOutput, textAt, valueAt } from '../foreign-fields.ts';
import type { MessageDialect } from './dialect.ts';
import { assistantEntries, NOTHING, readPieces, unknownEntry, userEntries, type Piece } from './pieces.ts';

/** Items of the Responses API: messages, calls and results side by side. The Agents SDK for JavaScript writes `callId`. */
export const OPENAI_RESPONSE_ITEMS: MessageDialect = {
  name: 'OpenAI Responses items',
  recognises: (items) => items.some((item) => isJsonObject(item) && isMarkedItem(item)),
  read: readItems,
};

/** Whether no other API writes such an item. */
export function isMarkedItem(item: JsonObject): boolean {
  const type = textAt(item, 'type') ?? '';
  if (type === 'message') {
    const parts = listAt(item, 'content') ?? [];
    return parts.some((part) => MARKED_PARTS.has(textAt(part, 'type') ?? ''));
  }
  if (type === 'function_call' || type === 'custom_tool_call') {
    return textAt(item, 'call_id', 'callId') !== undefined && textAt(item, 'name') !== undefined;
  }
  if (type === 'reasoning') return isJsonList(ownValue(item, 'summary')) && textAt(item, 'id') !== undefined;
  if (OUTPUTS.has(type)) return textAt(item, 'call_id', 'callId') !== undefined;
  return PROVIDED.has(type) && textAt(item, 'id') !== undefined;
}

const MARKED_PARTS: ReadonlySet<string> = new Set(['output_text', 'input_text', 'refusal']);
const UNSAID_PARTS: ReadonlySet<string> = new Set([
  'input_image',
  'input_file',
  'input_audio',
  'computer_screenshot',
  'summary_text',
  'reasoning_text',
  'image',
  'audio',
]);

/** Results of what the program runs. */
const OUTPUTS: ReadonlySet<string> = new Set([
  'function_call_output',
  'function_call_result',
  'custom_tool_call_output',
  'computer_call_output',
  'computer_call_result',
  'local_shell_call_output',
  'shell_call_output',
  'apply_patch_call_output',
  'tool_search_output',
  'program_output',
]);
/** Tools of the API that the program runs, by the name they are declared with, and what their input is called. */
const BUILT_IN: ReadonlyMap<string, readonly [tool: string, input: string]> = new Map([
  ['computer_call', ['computer', 'action']],
  ['local_shell_call', ['local_shell', 'action']],
  ['shell_call', ['shell', 'action']],
  ['apply_patch_call', ['apply_patch', 'operation']],
  ['program', ['program', 'code']],
]);
/** Tools that the provider runs: their name, their input, their result. */
const PROVIDED: ReadonlyMap<string, readonly [tool: string, input: string, output: string]> = new Map([
  ['web_search_call', ['web_search', 'action', 'results']],
  ['file_search_call', ['file_search', 'queries', 'results']],
  ['code_interpreter_call', ['code_interpreter', 'code', 'outputs']],
  ['image_generation_call', ['image_generation', 'prompt', 'result']],
  ['tool_search_call', ['tool_search', 'arguments', 'tools']],
  ['hosted_tool_call', ['', 'arguments', 'output']],
  ['mcp_call', ['', 'arguments', 'output']],
  ['mcp_approval_request', ['', 'arguments', 'output']],
]);
const UNSAID: ReadonlySet<string> = new Set([
  'reasoning',
  'item_reference',
  'compaction',
  'compaction_trigger',
  'mcp_list_tools',
  'mcp_approval_response',
  'additional_tools',
  'configuration_update',
]);

/** What the model said in a row is one message of its. */
function readItems(items: readonly Json[], at: string): readonly Entry[] {
  const entries: Entry[] = [];
  let said: Said[] = [];
  const flush = (): void => {
    if (said.length > 0) entries.push(...joinSaid(said));
    said = [];
  };
  const approved = approvedRequests(items);
  for (const [index, item] of items.entries()) {
    const read = isJsonObject(item)
      ? readItem(item, `${at}[${index}]`)
      : [unknownEntry(`${at}[${index}]`, item)];
    if (!('length' in read)) {
      if (!approved.has(read.call?.id ?? '')) said.push(read);
    } else if (read.length > 0) {
      flush();
      entries.push(...read);
    }
  }
  flush();
  return entries;
}

/** What one item of the model holds. */
interface Said extends Pick<Piece, 'text' | 'refusal' | 'call'> {
  /** Of a model that says which of its messages is the answer. */
  readonly phase?: string | undefined;
  readonly unknown?: readonly UnknownEntry[] | undefined;
}

function joinSaid(said: readonly Said[]): readonly Entry[] {
  const isAnswered = said.some(({ phase }) => phase === 'final_answer');
  const texts = said
    .filter(({ phase }) => !isAnswered || phase === 'final_answer')
    .flatMap(({ text }) => text ?? []);
  return assistantEntries({
    text: texts.length === 0 ? undefined : texts.join(''),
    refusal: said.find(({ refusal }) => refusal !== undefined)?.refusal,
    calls: said.flatMap(({ call }) => call ?? []),
    results: [],
    unknown: said.flatMap(({ unknown }) => unknown ?? []),
  });
}

/** An item of the model, or the entries of anything else. */
function readItem(item: JsonObject, at: string): Said | readonly Entry[] {
  const type = textAt(item, 'type') ?? (Object.hasOwn(item, 'role') ? 'message' : '');
  if (type === 'message') return readMessage(item, at);
  if (OUTPUTS.has(type)) {
    const given = valueAt(item, 'output', 'result', 'tools');
    const failed = ['failed', 'error'].includes(textAt(item, 'status') ?? '');
    return [
      {
        kind: 'result',
        id: textAt(item, 'call_id', 'callId'),
        tool: textAt(item, 'name'),
        output: readOutput(outputText(given) ?? given),
        ...(failed ? { status: 'error' } : {}),
      },
    ];
  }
  if (UNSAID.has(type)) return [];
  const call = readCall(item, type);
  return call === undefined ? [unknownEntry(at, item)] : { call };
}

function readMessage(item: JsonObject, at: string): Said | readonly Entry[] {
  const { text, refusal, unknown, ...others } = readPieces(
    ownValue(item, 'content'),
    `${at}.content`,
    readPart,
  );
  switch (textAt(item, 'role')) {
    case 'assistant':
      return { text, refusal, phase: textAt(item, 'phase'), unknown };
    case 'user':
      return userEntries({ text, unknown, ...others });
    case 'system':
    case 'developer':
      return [{ kind: 'system', text: text ?? '' }];
    default:
      return [unknownEntry(at, item)];
  }
}

function readPart(part: JsonObject): Piece | undefined {
  const type = textAt(part, 'type') ?? '';
  if (type === 'output_text' || type === 'input_text' || type === 'text')
    return { text: textAt(part, 'text') };
  if (type === 'refusal') return { refusal: textAt(part, 'refusal') };
  return UNSAID_PARTS.has(type) ? NOTHING : undefined;
}

function readCall(item: JsonObject, type: string): AskedCall | undefined {
  const provided = PROVIDED.get(type);
  if (provided !== undefined) return readProvided(item, provided);
  const id = textAt(item, 'call_id', 'callId', 'id');
  const builtIn = BUILT_IN.get(type);
  if (builtIn !== undefined) return { tool: builtIn[0], id, input: valueAt(item, builtIn[1], 'actions') };
  const tool = textAt(item, 'name');
  if (tool === undefined) return undefined;
  if (type === 'function_call') return { tool, id, input: readArguments(valueAt(item, 'arguments')) };
  // Custom tools take free text.
  return type === 'custom_tool_call' ? { tool, id, input: valueAt(item, 'input') } : undefined;
}

function readProvided(
  item: JsonObject,
  [name, input, output]: readonly [string, string, string],
): AskedCall | undefined {
  const tool = name === '' ? textAt(item, 'name') : name;
  if (tool === undefined) return undefined;
  const error = valueAt(item, 'error');
  const given = error ?? valueAt(item, output);
  const isFailed = error !== undefined || textAt(item, 'status') === 'failed';
  return {
    tool,
    id: textAt(item, 'id', 'call_id'),
    input: readArguments(valueAt(item, input)),
    executed_by: 'provider',
    ...(given === undefined && !isFailed
      ? {}
      : { result: { output: readOutput(given), ...(isFailed ? { status: 'error' as const } : {}) } }),
  };
}

/** A request for an approval that was given is followed by its call. */
function approvedRequests(items: readonly Json[]): ReadonlySet<string> {
  return new Set(items.flatMap((item) => textAt(item, 'approval_request_id') ?? []));
}

/** A text, or a list of parts of text. Undefined: something else. */
function outputText(given: Json | undefined): string | undefined {
  if (typeof given === 'string') return given;
  const parts = isJsonList(given) ? given : [given ?? null];
  const texts = parts.map((part) => (isJsonObject(part) ? readPart(part)?.text : undefined));
  return texts.length === 0 || texts.includes(undefined) ? undefined : texts.join('');
}
