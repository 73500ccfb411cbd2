import type { CallGroup } from '../base/match/trajectory/align-groups.ts';
import { isJsonObject, type Json } from '../base/model/json.ts';
import type { RecordedToolCall, Reply } from '../base/model/reply.ts';
import { toolCallField } from '../base/model/tool-call-fields.ts';

/**
 * Which calls of a reply were made in one message, and so at the same time. Undefined if the messages do not
 * contain these calls: then it is unknown.
 */
export function messageGroups(
  { output_messages: messages }: Reply,
  calls: readonly RecordedToolCall[],
): readonly CallGroup[] | undefined {
  if (messages === undefined) return undefined;
  const groups: CallGroup[] = [];
  let start = 0;
  for (const { tool_calls: own } of messages) {
    if (!Array.isArray(own) || own.length === 0) continue;
    const end = start + own.length;
    const isSame = own.every((call: Json, index) => toolOf(call) === calls[start + index]?.tool);
    if (!isSame) return undefined;
    groups.push({ start, end });
    start = end;
  }
  return start === calls.length ? groups : undefined;
}

function toolOf(call: Json): Json | undefined {
  return isJsonObject(call) ? toolCallField(call, 'tool')?.value : undefined;
}
