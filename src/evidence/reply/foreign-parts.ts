import { compareCalls } from '../compare-calls.ts';
import type { ReportedReply } from '../merge-sources.ts';
import { recogniseCalls, recogniseMessages } from '../recognise-messages.ts';
import type { Trace } from '../trace.ts';
import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { TraceGap } from '../../base/model/reply.ts';
import { readReply } from './read-reply.ts';

/** A reply in our own fields whose messages or calls are written as a framework or provider writes them. */
export interface ForeignParts {
  /** What the rest of the reply says. */
  readonly reported: ReportedReply;
  /** What those parts say. */
  readonly trace: Trace;
}

/** Whether a reply could not be read without them. */
export function needsForeignParts(read: ReturnType<typeof readReply>): boolean {
  return 'problem' in read || read.reply.trace_gap?.kind === 'unreadable';
}

/** Undefined: the reply has no such parts, or nobody knows them. */
export function readForeignParts(
  value: Json | undefined,
  unreported: TraceGap | undefined,
): ForeignParts | undefined {
  if (!isJsonObject(value)) return undefined;
  const { output_messages: messages = null, tool_calls: calls = null, ...rest } = value;
  const said = isJsonList(messages) ? recogniseMessages(messages, 'output_messages') : undefined;
  const listed = isJsonList(calls) && calls.length > 0 ? recogniseCalls(calls, 'tool_calls') : undefined;
  const isUnread = (part: Json, trace: Trace | undefined): boolean => part !== null && trace === undefined;
  if ((said === undefined && listed === undefined) || (isUnread(messages, said) && isUnread(calls, listed)))
    return undefined;
  const kept: JsonObject = {
    ...rest,
    ...(isUnread(messages, said) ? { output_messages: messages } : {}),
    ...(isUnread(calls, listed) ? { tool_calls: calls } : {}),
  };
  const hasOutput = typeof (ownValue(rest, 'output') ?? ownValue(rest, 'text')) === 'string';
  const read = readReply(hasOutput ? kept : { ...kept, output: '' }, unreported);
  if ('problem' in read) return undefined;
  const reply = { ...read.reply, ...contradiction(said?.tool_calls, listed?.tool_calls) };
  return {
    reported: hasOutput ? reply : { ...reply, output: undefined },
    trace: { ...said, ...(listed === undefined ? {} : { tool_calls: listed.tool_calls }), gap: said?.gap },
  };
}

/** The calls of the messages and those of the list are two views of one thing. */
function contradiction(
  said: Trace['tool_calls'],
  listed: Trace['tool_calls'],
): { readonly trace_gap: TraceGap } | undefined {
  if (said === undefined || listed === undefined) return undefined;
  const { unreported, differing } = compareCalls(listed, said);
  if (unreported.length + differing.length === 0) return undefined;
  return { trace_gap: { kind: 'contradictory', at: '`tool_calls` and `output_messages`' } };
}
