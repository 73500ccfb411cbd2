import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import { listAt, objectAt, textAt, valueAt } from '../foreign-fields.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import type { Trace } from '../trace.ts';
import { withEarlyEnd, withFailure } from '../unfinished-trace.ts';
import type { Dialect } from './dialect.ts';
import { LANGCHAIN_MESSAGES } from './langchain-messages.ts';
import { messagesOf } from './langgraph-stream.ts';

/** What a LangGraph server answers to `/runs/stream`, and the chunks that its SDK makes of it. */
export const LANGGRAPH_SERVER: Dialect = {
  name: 'a LangGraph server stream',
  recognises: (value) => {
    const chunks = isJsonList(value) ? value.map(chunkOf) : [];
    return chunks.some(
      (chunk) => chunk?.event === 'metadata' && isJsonObject(chunk.data) && 'run_id' in chunk.data,
    );
  },
  read: (value) => readChunks((value as readonly Json[]).flatMap((each) => chunkOf(each) ?? [])),
};

const TELLING = /^(?:values|updates|messages(?:\/(?:partial|complete)|-tuple)?)$/;

interface Chunk {
  readonly event: string;
  readonly data: Json;
}

/** `{event, data}` from the SDK. From the text of the stream, the name of an event is its `type`, beside or around its data. */
function chunkOf(value: Json): Chunk | undefined {
  if (!isJsonObject(value)) return undefined;
  const event = textAt(value, 'event');
  if (event !== undefined && 'data' in value) return { event, data: value['data']! };
  const { type, ...data } = value;
  if (typeof type !== 'string') return undefined;
  return isJsonList(data['data']) && Object.keys(data).length === 1
    ? { event: type, data: data['data'] }
    : { event: type, data };
}

function readChunks(chunks: readonly Chunk[]): Trace {
  // What a sub-graph does has its name behind a bar.
  const of = (...names: readonly string[]): readonly Json[] =>
    chunks.filter(({ event }) => names.includes(event)).map(({ data }) => data);
  // A state that is not the last word lacks what came after it.
  const isLast = chunks.findLast(({ event }) => TELLING.test(event))?.event === 'values';
  const [state] = of('values').slice(-1);
  const messages =
    (isLast ? listAt(state, 'messages') : undefined) ??
    messagesOf(of('updates')) ??
    lastById(of('messages/complete', 'messages/partial')) ??
    messagesOf(of('messages', 'messages-tuple'));
  const trace = traceOfEntries(LANGCHAIN_MESSAGES.read(messages ?? [], 'the stream'));
  const error = of('error').at(-1);
  if (error !== undefined) {
    const text = textAt(error, 'message', 'error') ?? 'an error';
    return withFailure({ ...trace, output: undefined }, text);
  }
  return trace.output === undefined
    ? withEarlyEnd(trace, { at: 'the stream', form: 'it has no answer' })
    : trace;
}

/** Each list has messages as far as they have come. */
function lastById(lists: readonly Json[]): readonly Json[] | undefined {
  const messages = new Map<string, JsonObject>();
  for (const message of lists.flatMap((list) => (isJsonList(list) ? list : [list])))
    if (isJsonObject(message)) messages.set(idOf(message) ?? `${messages.size}`, message);
  return messages.size === 0 ? undefined : [...messages.values()];
}

function idOf(message: JsonObject): string | undefined {
  const id = valueAt(message, 'id') ?? valueAt(objectAt(message, 'kwargs'), 'id');
  return typeof id === 'string' ? id : undefined;
}
