import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import type { Trace } from '../trace.ts';
import { withFailure } from '../unfinished-trace.ts';
import type { Dialect, MessageDialect } from './dialect.ts';

/**
 * A reply that is messages of a dialect: a list of them, a state that holds the list, or one message. `results` are the
 * dialects of whole results, which hold messages too.
 */
export function messageReplies(
  dialects: readonly MessageDialect[],
  results: readonly Dialect[],
): readonly Dialect[] {
  const find = (value: Json): MessageDialect | undefined => {
    const found = findMessages(value);
    if (found === undefined || found.messages.length === 0) return undefined;
    const dialect = dialects.find((each) => each.recognises(found.messages));
    return dialect === undefined || results.some((each) => each.recognises(value)) ? undefined : dialect;
  };
  // Every dialect checks the same value.
  const known = new WeakMap<object, { readonly dialect: MessageDialect | undefined }>();
  const dialectOf = (value: Json): MessageDialect | undefined => {
    if (typeof value !== 'object' || value === null) return undefined;
    const found = known.get(value) ?? { dialect: find(value) };
    known.set(value, found);
    return found.dialect;
  };
  return dialects.map((dialect) => ({
    name: dialect.name,
    recognises: (value) => dialectOf(value) === dialect,
    read: (value) => readMessages(value, dialect),
  }));
}

interface FoundMessages {
  readonly messages: readonly Json[];
  readonly at: string;
}

/** The names under which programs return messages. */
const LISTS = [
  'messages',
  'history',
  'items',
  'contents',
  'events',
  'responseMessages',
  'all_messages',
  'new_messages',
  'message_history',
];

/** What only a reply of our own contract has. */
const OWN = ['tools_used', 'tool_calls', 'output_messages'];

function findMessages(value: Json): FoundMessages | undefined {
  if (isJsonList(value)) return { messages: value, at: 'the list' };
  if (!isJsonObject(value)) return undefined;
  const isOwn = typeof ownValue(value, 'output') === 'string' || OWN.some((name) => isReported(value, name));
  const at = LISTS.find((name) => isJsonList(ownValue(value, name)));
  if (at !== undefined) return isOwn ? undefined : { messages: ownValue(value, at) as readonly Json[], at };
  const isMessage =
    Object.hasOwn(value, 'role') || Object.hasOwn(value, 'type') || Object.hasOwn(value, 'author');
  return isMessage && typeof ownValue(value, 'output') !== 'string'
    ? { messages: [value], at: 'the message' }
    : undefined;
}

/** A message has `tool_calls` too. */
function isReported(value: JsonObject, name: string): boolean {
  return Object.hasOwn(value, name) && !(name === 'tool_calls' && Object.hasOwn(value, 'content'));
}

function readMessages(value: Json, dialect: MessageDialect): Trace {
  const { messages, at } = findMessages(value)!;
  const read = traceOfEntries(dialect.read(messages, at));
  // One message is one response of the model. Whether there were others before it, it does not tell.
  const trace = messages.length === 1 ? { ...read, model_calls: 1 } : read;
  const structured = isJsonObject(value) ? structuredOutput(value) : undefined;
  const failure = dialect.failureOf?.(messages);
  const said = failure === undefined ? trace : withFailure(trace, failure);
  const answered = structured === undefined ? said : { ...said, output: printJson(structured) };
  return messages.length === 1 && dialect.isWholeTurn !== true ? lastMessageAlone(answered) : answered;
}

/** Many agents return the last message of a conversation: earlier messages may have calls. */
function lastMessageAlone(trace: Trace): Trace {
  return {
    ...trace,
    is_last_response: true,
    ...(trace.token_usage === undefined ? {} : { usage_complete: false }),
  };
}

/** A structured answer in addition to the messages. */
function structuredOutput(state: JsonObject): JsonObject | readonly Json[] | undefined {
  for (const name of ['structuredResponse', 'structured_response', 'output']) {
    const value = ownValue(state, name);
    if (isJsonObject(value) || isJsonList(value)) return value;
  }
  return undefined;
}
