import {
  isJsonList,
  isJsonObject,
  ownValue,
  setOwn,
  type Json,
  type JsonObject,
} from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import { addUsage } from '../../base/model/usage.ts';
import { listAt, numberAt, textAt } from '../foreign-fields.ts';
import type { Trace } from '../trace.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import type { Dialect } from './dialect.ts';
import { isLangchainMessage, LANGCHAIN_MESSAGES, langchainFields } from './langchain-messages.ts';

/**
 * What `graph.stream` of LangGraph gives: states (`values`), what each node added (`updates`), or pieces of messages with
 * their metadata (`messages`). With several modes each chunk is a list that begins with its mode, with sub-graphs also with where
 * it comes from.
 */
export const LANGGRAPH_STREAM: Dialect = {
  name: 'a LangGraph stream',
  recognises: (value) => isJsonList(value) && value.length > 0 && messagesOf(value) !== undefined,
  read: (value) => readStream(value as readonly Json[]),
};

/** Work of sub-graphs that is not in the graph's own messages counts for calls and tokens, each call with its `agent`. */
function readStream(given: readonly Json[]): Trace {
  const messages = messagesOf(given) ?? [];
  const trace = traceOfEntries(LANGCHAIN_MESSAGES.read(messages, 'the stream'));
  const seen = new Set(messages.map(keyOf));
  return innerMessages(given).reduce<Trace>((sum, { agent, messages: own }) => {
    const more = own.filter((message) => !seen.has(keyOf(message)));
    for (const message of more) seen.add(keyOf(message));
    return more.some(isLangchainMessage)
      ? joinTraces(sum, traceOfEntries(LANGCHAIN_MESSAGES.read(more, agent)), agent)
      : sum;
  }, trace);
}

function keyOf(message: Json): string {
  const { type, fields = {} } = langchainFields(message);
  return textAt(fields, 'id') ?? textAt(fields, 'tool_call_id') ?? `${type} ${printJson(message)}`;
}

/** Of each sub-graph, by the name of the node that it stands for. */
function innerMessages(
  given: readonly Json[],
): readonly { readonly agent: string; readonly messages: readonly Json[] }[] {
  const groups = new Map<string, LabelledChunk[]>();
  for (const each of given.map(labelledChunk)) {
    if (each?.isInner !== true) continue;
    const name = each.graph;
    groups.set(name, [...(groups.get(name) ?? []), each]);
  }
  return [...groups].map(([graph, chunks]) => ({
    agent: graph.split(':', 1)[0]!,
    messages: messagesByMode(chunks.map((chunk) => ({ ...chunk, isInner: false }))) ?? [],
  }));
}

function joinTraces(outer: Trace, inner: Trace, agent: string): Trace {
  const calls = (inner.tool_calls ?? []).map((call) => ({ ...call, agent }));
  const isComplete = outer.usage_complete !== false && inner.usage_complete !== false;
  return {
    ...outer,
    tool_calls: [...(outer.tool_calls ?? []), ...calls],
    token_usage: addUsage([outer.token_usage, inner.token_usage].filter((usage) => usage !== undefined)),
    usage_complete: isComplete ? outer.usage_complete : false,
    usage_by_model: undefined,
    models: [...new Set([...(outer.models ?? []), ...(inner.models ?? [])])],
    gap: outer.gap ?? inner.gap,
  };
}

export function messagesOf(given: readonly Json[]): readonly Json[] | undefined {
  const labelled = given.map(labelledChunk);
  if (given.length > 0 && labelled.every((each) => each !== undefined)) return messagesByMode(labelled);
  return messagesOfOneMode(given);
}

const TELLING: ReadonlySet<string> = new Set(['values', 'updates', 'messages']);

interface LabelledChunk {
  readonly mode: string;
  /** Of a sub-graph. */
  readonly isInner: boolean;
  /** Its name and its run; empty for the graph itself. */
  readonly graph: string;
  readonly chunk: Json;
}

const MODES: ReadonlySet<string> = new Set([
  'values',
  'updates',
  'messages',
  'custom',
  'debug',
  'tasks',
  'checkpoints',
]);

/** `[mode, chunk]`, `[namespace, chunk]` or `[namespace, mode, chunk]`. */
function labelledChunk(given: Json): LabelledChunk | undefined {
  if (!isJsonList(given) || given.length < 2) return undefined;
  const [first, second] = given;
  const isNamed = isJsonList(first) && first.every((part) => typeof part === 'string');
  const isInner = isNamed && first.length > 0;
  const graph = isNamed ? String(first[0] ?? '') : '';
  if (isNamed && given.length === 2) return { mode: '', isInner, graph, chunk: second! };
  const mode = isNamed ? second : first;
  const isMode = typeof mode === 'string' && MODES.has(mode);
  return isMode && given.length === (isNamed ? 3 : 2)
    ? { mode, isInner, graph, chunk: given.at(-1)! }
    : undefined;
}

/** The states tell most, and pieces of messages least. */
function messagesByMode(chunks: readonly LabelledChunk[]): readonly Json[] | undefined {
  // A graph may add no message itself.
  const own = chunks.filter(({ isInner }) => !isInner);
  const outer = own.some(({ mode, chunk }) => messagesOfOneMode([chunk]) !== undefined && mode !== 'custom')
    ? own
    : chunks;
  // A state that is not the last word lacks what came after it.
  const isState = outer.findLast(({ mode }) => TELLING.has(mode))?.mode === 'values';
  for (const mode of isState ? ['values'] : ['updates', 'messages', '']) {
    const messages = messagesOfOneMode(outer.filter((each) => each.mode === mode).map(({ chunk }) => chunk));
    if (messages !== undefined && messages.length > 0) return messages;
  }
  return undefined;
}

function messagesOfOneMode(chunks: readonly Json[]): readonly Json[] | undefined {
  if (chunks.length === 0) return undefined;
  const states = chunks.flatMap((chunk) => (isJsonObject(chunk) ? [messagesIn(chunk)] : []));
  if (states.length === chunks.length && states.every((state) => state !== undefined)) return states.at(-1);
  const updates = chunks.map(updateOf);
  if (updates.every((update) => update !== undefined)) {
    const messages = updates.flat();
    return messages.some(isLangchainMessage) ? messages : undefined;
  }
  const pieces = chunks.map(pieceOf);
  return pieces.every((piece) => piece !== undefined) ? joinChunks(pieces) : undefined;
}

function messagesIn(state: JsonObject): readonly Json[] | undefined {
  const messages = listAt(state, 'messages');
  return messages?.some(isMessage) === true ? messages : undefined;
}

/** A state before the first answer has only the user's message. */
function isMessage(message: Json): boolean {
  const { type, fields } = langchainFields(message);
  return type === 'human' ? fields !== undefined && 'content' in fields : isLangchainMessage(message);
}

/** `{node: {messages: [...]}}`. A node may add nothing. */
function updateOf(chunk: Json): readonly Json[] | undefined {
  if (!isJsonObject(chunk) || Object.keys(chunk).length === 0) return undefined;
  const lists: (readonly Json[])[] = [];
  for (const update of Object.values(chunk)) {
    if (update !== null && !isJsonObject(update)) return undefined;
    const messages = isJsonObject(update) ? ownValue(update, 'messages') : undefined;
    if (isJsonList(messages)) lists.push(messages);
    else if (isJsonObject(messages)) lists.push([messages]);
  }
  return lists.flat();
}

/** `[message, metadata]`. */
function pieceOf(chunk: Json): JsonObject | undefined {
  if (!isJsonList(chunk) || chunk.length !== 2 || !isJsonObject(chunk[1])) return undefined;
  const [message] = chunk;
  return message !== undefined && isLangchainMessage(message) ? message : undefined;
}

/** Pieces of one message share its id. Calls come in pieces too, by their index. */
function joinChunks(pieces: readonly JsonObject[]): readonly Json[] {
  const byId = new Map<string, { readonly message: JsonObject; readonly pieces: JsonObject[] }>();
  for (const [index, message] of pieces.entries()) {
    const { type, fields = {} } = langchainFields(message);
    const key = textAt(fields, 'id') ?? `${index}`;
    const known = byId.get(key);
    if (type === 'ai' && known !== undefined) known.pieces.push(fields);
    else byId.set(key, { message, pieces: type === 'ai' ? [fields] : [] });
  }
  return [...byId.values()].map((each) =>
    each.pieces.length === 0 ? each.message : joinPieces(each.pieces),
  );
}

function joinPieces(pieces: readonly JsonObject[]): JsonObject {
  const joined: Record<string, Json> = { ...pieces[0], type: 'ai', content: pieces.flatMap(partsOf) };
  for (const piece of pieces) {
    for (const name of ['usage_metadata', 'response_metadata', 'additional_kwargs', 'tool_calls']) {
      const value = ownValue(piece, name);
      const isTold = isJsonList(value)
        ? value.length > 0
        : isJsonObject(value) && Object.keys(value).length > 0;
      if (isTold) setOwn(joined, name, value!);
    }
  }
  const calls = joinCalls(pieces.flatMap((piece) => listAt(piece, 'tool_call_chunks') ?? []));
  return calls.length === 0 ? joined : { ...joined, tool_calls: calls, invalid_tool_calls: [] };
}

function partsOf(fields: JsonObject): readonly Json[] {
  const content = ownValue(fields, 'content') ?? '';
  return isJsonList(content) ? content : [{ type: 'text', text: typeof content === 'string' ? content : '' }];
}

function joinCalls(chunks: readonly Json[]): readonly Json[] {
  const calls = new Map<number, { name: string; args: string; id: string | undefined }>();
  for (const chunk of chunks.filter(isJsonObject)) {
    const index = numberAt(chunk, 'index') ?? calls.size;
    const call = calls.get(index) ?? { name: '', args: '', id: undefined };
    calls.set(index, {
      name: call.name + (textAt(chunk, 'name') ?? ''),
      args: call.args + (textAt(chunk, 'args') ?? ''),
      id: call.id ?? textAt(chunk, 'id'),
    });
  }
  return [...calls.values()].map(({ id, ...call }) => (id === undefined ? call : { ...call, id }));
}
