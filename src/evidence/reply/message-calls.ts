import { isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import type { Message } from '../../base/model/message.ts';
import type { RecordedToolCall } from '../../base/model/reply.ts';
import { toolCallField } from '../../base/model/tool-call-fields.ts';
import { describe } from '../../base/schema/values.ts';
import { readTool } from './read-tools.ts';
import { ReplyProblem } from './reply-problem.ts';
import { findUnreadCall, unreadForm, type UnreadCall } from './unread-call.ts';

/** The tool calls that messages or a list of calls hold. With `unread` there are more of them, or others. */
export interface FoundCalls {
  readonly calls: readonly RecordedToolCall[];
  readonly unread?: UnreadCall | undefined;
}

export interface MessageCalls extends FoundCalls {
  /** The same calls, those of each message together: the model made them at the same time. */
  readonly groups: readonly (readonly RecordedToolCall[])[];
}

/** A message that holds a tool call is never read as "no tools", in whatever form it holds it. */
export function callsInMessages(messages: readonly Message[]): MessageCalls {
  const calls: RecordedToolCall[] = [];
  const groups: (readonly RecordedToolCall[])[] = [];
  let unread: UnreadCall | undefined;
  for (const [index, message] of messages.entries()) {
    const at = `output_messages[${index}]`;
    const { tool_calls: own, ...rest } = message as JsonObject;
    const found = callsInList(own ?? undefined, `${at}.tool_calls`);
    if (found !== undefined && found.calls.length > 0) {
      calls.push(...found.calls);
      groups.push(found.calls);
    }
    const known = new Set(calls.map(({ tool }) => tool));
    unread ??= found?.unread ?? findUnreadCall(rest, { at, known });
  }
  return { calls, groups, unread };
}

/** `tool_calls`, of the reply or of a message. Undefined when it is not there. */
export function callsInList(value: Json | undefined, place: string): FoundCalls | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw new ReplyProblem(`\`${place}\` must be a list, but is ${describe(value)}`);
  const calls: RecordedToolCall[] = [];
  let unread: UnreadCall | undefined;
  for (const [index, call] of (value as readonly Json[]).entries()) {
    const at = `${place}[${index}]`;
    const form = isNamed(call) ? undefined : unreadForm(call);
    if (form === undefined) calls.push(readTool(call, at));
    else unread ??= { at, form };
  }
  return { calls, unread };
}

function isNamed(call: Json): boolean {
  return isJsonObject(call) && toolCallField(call, 'tool') !== undefined;
}
