import { isJsonObject, ownValue, setOwn, type Json, type JsonObject } from '../../base/model/json.ts';
import type { Message } from '../../base/model/message.ts';
import type { RecordedToolCall, Reply, TraceGap } from '../../base/model/reply.ts';
import { closest } from '../../base/schema/did-you-mean.ts';
import { containsCalls } from './contains-calls.ts';
import { callsInList, callsInMessages, type FoundCalls, type MessageCalls } from './message-calls.ts';
import { presentValue } from './present-value.ts';
import { REPLY_FIELDS } from './reply-fields.ts';
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
  const trace = reportedTrace({ used, calls }, said);
  return { ...trace, trace_gap: doubtReport(reply, { used, calls }, { listed, said }) };
}

interface Found {
  readonly listed: FoundCalls | undefined;
  readonly said: MessageCalls | undefined;
}

/** What the agent reported apart from its messages: at least one of the two. */
interface Reported {
  readonly used: readonly RecordedToolCall[] | undefined;
  readonly calls: readonly RecordedToolCall[] | undefined;
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

function reportedTrace({ used, calls }: Reported, said: MessageCalls | undefined): Trace {
  const names = namesOf(used ?? calls!);
  if (calls !== undefined) return { tools_used: names, tool_calls: withArguments(calls, said?.calls ?? []) };
  // The messages know more of the same calls.
  const isSameTrace =
    said !== undefined && said.calls.length >= names.length && haveSameMembers(names, namesOf(said.calls));
  return { tools_used: names, tool_calls: isSameTrace ? said.calls : used };
}

/** The messages may know the arguments of the same calls. */
function withArguments(
  calls: readonly RecordedToolCall[],
  said: readonly RecordedToolCall[],
): readonly RecordedToolCall[] {
  const isSame = said.length === calls.length && said.every(({ tool }, index) => tool === calls[index]!.tool);
  if (!isSame || calls.every(({ input }) => input !== undefined)) return calls;
  return calls.map((call, index) =>
    call.input === undefined ? { ...call, input: said[index]!.input } : call,
  );
}

/** What is reported must not be contradicted by the messages, nor `tools_used` by `tool_calls`; a report of no calls by nothing. */
function doubtReport(
  reply: JsonObject,
  { used, calls }: Reported,
  { listed, said }: Found,
): TraceGap | undefined {
  const groups = said?.groups ?? [];
  if (used !== undefined && calls !== undefined && !tellsOf(used, calls, groups))
    return contradiction('tools_used', 'tool_calls');
  const isNone = (calls ?? used)!.length === 0;
  const unread = isNone ? (listed?.unread ?? said?.unread) : undefined;
  if (unread !== undefined) return { kind: 'unreadable', ...unread };
  if (calls !== undefined && !containsCalls(calls, groups))
    return contradiction('tool_calls', 'output_messages');
  if (used !== undefined && !isToldBy(used, said)) return contradiction('tools_used', 'output_messages');
  return isNone ? findElsewhere(reply) : undefined;
}

/** `tools_used` and `tool_calls` in the same order, unless the messages say that the calls were made at the same time. */
function tellsOf(
  used: readonly RecordedToolCall[],
  calls: readonly RecordedToolCall[],
  groups: MessageCalls['groups'],
): boolean {
  if (!haveSameMembers(namesOf(used), namesOf(calls))) return false;
  const inTurn = used.map((call) => [call]);
  if (used.length === calls.length && containsCalls(calls, inTurn)) return true;
  const isFree = used.length < calls.length || groups.flat().length === calls.length;
  return isFree && containsCalls(calls, [used]);
}

/** Names may be told once each: then the order in which they are told says nothing. */
function isToldBy(used: readonly RecordedToolCall[], said: MessageCalls | undefined): boolean {
  if (said === undefined || said.calls.length === 0) return true;
  const names = new Set(namesOf(used));
  if (!said.calls.every(({ tool }) => names.has(tool))) return false;
  const isToldOnce = used.length === names.size && said.calls.length > used.length;
  return isToldOnce ? containsCalls(said.calls, [used]) : containsCalls(used, said.groups);
}

function contradiction(one: string, other: string): TraceGap {
  return { kind: 'contradictory', at: `\`${one}\` and \`${other}\`` };
}

/** The names may be told once each. A call that the names have and the calls lack is a contradiction. */
function haveSameMembers(names: readonly string[], calls: readonly string[]): boolean {
  const known = new Set(names);
  if (known.size !== new Set(calls).size || !calls.every((name) => known.has(name))) return false;
  const count = (all: readonly string[], name: string): number => all.filter((each) => each === name).length;
  return names.length <= calls.length || [...known].every((name) => count(names, name) <= count(calls, name));
}

const READ_FIELDS: ReadonlySet<string> = new Set([...REPLY_FIELDS, 'text']);

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
