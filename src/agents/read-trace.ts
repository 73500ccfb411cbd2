import { isJsonObject, ownValue, setOwn, type Json, type JsonObject } from '../model/json.ts';
import type { Message } from '../model/message.ts';
import { printJson } from '../model/print-json.ts';
import type { RecordedToolCall, Reply, TraceGap } from '../model/reply.ts';
import { closest } from '../schema/did-you-mean.ts';
import { callsInList, callsInMessages, type FoundCalls } from './message-calls.ts';
import { presentValue } from './present-value.ts';
import { readToolsUsed } from './read-tools.ts';
import { findUnreadCall, isNothing } from './unread-call.ts';

export const MISSING: TraceGap = { kind: 'missing' };
/** Of functions: holds for an object with `output` only. */
export const LEFT_OUT: TraceGap = { kind: 'left_out' };

type Trace = Pick<Reply, 'tools_used' | 'tool_calls' | 'trace_gap'>;

/**
 * The tool calls of a reply, from `tools_used`, `tool_calls` and the messages. They are missing only when none of the three
 * came, and known to be none only when nothing in the reply says otherwise.
 */
export function readTrace(
  reply: JsonObject,
  messages: readonly Message[] | undefined,
  unreported: TraceGap,
): Trace {
  const used = readToolsUsed(presentValue(reply, 'tools_used'));
  const listed = callsInList(presentValue(reply, 'tool_calls'), 'tool_calls');
  const said = messages === undefined ? undefined : callsInMessages(messages);
  const calls = listed?.unread === undefined ? listed?.calls : undefined;
  if (used === undefined && calls === undefined) return unreportedTrace(reply, { listed, said, unreported });
  const trace = reportedTrace(used, calls, said);
  return { ...trace, trace_gap: doubtReport(reply, trace, { listed, said }) };
}

interface Found {
  readonly listed: FoundCalls | undefined;
  readonly said: FoundCalls | undefined;
}

/** Nobody listed the calls: the messages may hold them. */
function unreportedTrace(
  reply: JsonObject,
  { listed, said, unreported }: Found & { readonly unreported: TraceGap },
): Trace {
  const unread = listed?.unread ?? said?.unread;
  if (unread !== undefined) return { trace_gap: { kind: 'unreadable', ...unread } };
  const calls = said?.calls ?? [];
  const elsewhere = calls.length > 0 ? undefined : findElsewhere(reply);
  if (elsewhere !== undefined) return { trace_gap: elsewhere };
  if (said !== undefined) return { tools_used: namesOf(calls), tool_calls: calls };
  const isOther = unreported.kind === 'left_out' && typeof ownValue(reply, 'output') !== 'string';
  return { trace_gap: isOther ? MISSING : unreported };
}

function reportedTrace(
  used: readonly RecordedToolCall[] | undefined,
  calls: readonly RecordedToolCall[] | undefined,
  said: FoundCalls | undefined,
): Required<Pick<Reply, 'tools_used' | 'tool_calls'>> {
  if (used === undefined) return { tools_used: namesOf(calls!), tool_calls: calls };
  const names = namesOf(used);
  if (calls !== undefined) return { tools_used: names, tool_calls: calls };
  // The messages know more of the same calls.
  const isSameTrace = said !== undefined && printJson(namesOf(said.calls)) === printJson(names);
  return { tools_used: names, tool_calls: isSameTrace ? said.calls : used };
}

/** What is reported must not be contradicted by the messages, nor `tools_used` by `tool_calls`; a report of no calls by nothing. */
function doubtReport(
  reply: JsonObject,
  { tools_used: names = [], tool_calls: calls = [] }: Trace,
  { listed, said }: Found,
): TraceGap | undefined {
  if (!haveSameMembers(names, namesOf(calls))) return contradiction('tools_used', 'tool_calls');
  const reported = presentValue(reply, 'tools_used') === undefined ? 'tool_calls' : 'tools_used';
  const isUntold = said?.calls.some(({ tool }) => !names.includes(tool)) === true;
  if (names.length > 0) return isUntold ? contradiction(reported, 'output_messages') : undefined;
  const unread = listed?.unread ?? said?.unread;
  if (unread !== undefined) return { kind: 'unreadable', ...unread };
  return isUntold ? contradiction(reported, 'output_messages') : findElsewhere(reply);
}

function contradiction(one: string, other: string): TraceGap {
  return { kind: 'contradictory', at: `\`${one}\` and \`${other}\`` };
}

/** The names may be told once each. A call that the names have and the calls lack is a contradiction. */
function haveSameMembers(names: readonly string[], calls: readonly string[]): boolean {
  const told = new Set(names);
  if (told.size !== new Set(calls).size || !calls.every((name) => told.has(name))) return false;
  const count = (all: readonly string[], name: string): number => all.filter((each) => each === name).length;
  return names.length <= calls.length || [...told].every((name) => count(names, name) <= count(calls, name));
}

const READ_FIELDS: ReadonlySet<string> = new Set([
  'output',
  'text',
  'tools_used',
  'tool_calls',
  'memory',
  'output_messages',
  'token_usage',
  'cost_usd',
  'duration_ms',
]);

/** A tool call under a name that is not one of a reply's: `toolCalls`, `toolsUsed`, `steps[0].toolCalls`, ... */
function findElsewhere(reply: JsonObject): TraceGap | undefined {
  const others: Record<string, Json> = {};
  for (const key of Object.keys(reply)) {
    if (READ_FIELDS.has(key)) continue;
    const value = reply[key]!;
    const isMeant = isListOfTools(key, value) || closest(key, ['tools_used', 'tool_calls']) !== undefined;
    if (isMeant && !isNothing(value)) return { kind: 'unreadable', at: key, form: key };
    setOwn(others, key, value);
  }
  const unread = findUnreadCall(others, { at: '', known: new Set() });
  return unread === undefined ? undefined : { kind: 'unreadable', ...unread };
}

/** `tools` may be those that were used, or those that are there. */
function isListOfTools(key: string, value: Json): boolean {
  return (
    key === 'tools' &&
    Array.isArray(value) &&
    value.some((item: Json) => typeof item === 'string' || isJsonObject(item))
  );
}

function namesOf(calls: readonly RecordedToolCall[]): readonly string[] {
  return calls.map(({ tool }) => tool);
}
