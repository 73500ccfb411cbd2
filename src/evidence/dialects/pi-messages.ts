import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import type { Entry } from '../entry.ts';
import { listAt, numberAt, objectAt, readOutput, textAt, valueAt, objectsAt } from '../foreign-fields.ts';
import { countAt, toUsage } from '../provider-usage.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import type { Trace } from '../trace.ts';
import { withEarlyEnd, withFailure } from '../unfinished-trace.ts';
import type { Dialect } from './dialect.ts';
import { assistantEntries, NOTHING, readPieces, unknownEntry, userEntries, type Piece } from './pieces.ts';

/** The messages of a pi agent, its events, and what `pi --mode json` prints. */
export const PI_MESSAGES: Dialect = {
  name: 'pi messages',
  recognises: (value) => messagesIn(value)?.some(isMarked) === true,
  read(value) {
    const trace = readMessages(messagesIn(value)!);
    if (!isJsonList(value) || !value.some(isEvent)) return trace;
    const isWhole = value.some((event) => textAt(event, 'type') === 'agent_end');
    const session = value.find((event) => textAt(event, 'type') === 'session');
    const session_id = textAt(session, 'id');
    const named = { ...trace, session_id };
    return isWhole ? named : withEarlyEnd(named, { at: 'the events', form: 'the agent did not end' });
  },
};

function messagesIn(value: Json): readonly Json[] | undefined {
  if (isJsonObject(value)) return listAt(value, 'messages') ?? (isMarked(value) ? [value] : undefined);
  if (!isJsonList(value)) return undefined;
  if (!value.some(isEvent)) return value;
  // Each message ends once. What was said before comes only as a list.
  return value.flatMap((event) =>
    textAt(event, 'type') === 'message_end' ? (objectAt(event, 'message') ?? []) : [],
  );
}

function isEvent(event: Json): boolean {
  if (!isJsonObject(event)) return false;
  const type = textAt(event, 'type') ?? '';
  return (
    type === 'agent_start' ||
    type === 'agent_end' ||
    (type === 'message_end' && isJsonObject(event['message']))
  );
}

function isMarked(message: Json): boolean {
  if (!isJsonObject(message)) return false;
  if (textAt(message, 'role') === 'toolResult') return textAt(message, 'toolCallId') !== undefined;
  if (textAt(message, 'role') !== 'assistant') return false;
  return (
    (textAt(message, 'stopReason') !== undefined && textAt(message, 'api') !== undefined) ||
    objectsAt(message, 'content').some((part) => textAt(part, 'type') === 'toolCall' && 'arguments' in part)
  );
}

function readMessages(messages: readonly Json[]): Trace {
  const trace = traceOfEntries(
    messages.flatMap((message, index) => readMessage(message, `messages[${index}]`)),
  );
  const start = messages.findLastIndex((message) => textAt(message, 'role') === 'user');
  const answers = messages
    .slice(start + 1)
    .filter((message) => textAt(message, 'role') === 'assistant') as readonly JsonObject[];
  const costs = answers.map((answer) => numberAt(objectAt(objectAt(answer, 'usage'), 'cost'), 'total'));
  const last = answers.at(-1);
  const isFailed = ['error', 'aborted'].includes(textAt(last, 'stopReason') ?? '');
  const whole: Trace = {
    ...trace,
    model_calls: answers.length || undefined,
    // A price of 0 is one that pi does not know.
    ...(costs.length === 0 || costs.some((cost) => !cost)
      ? {}
      : { cost_usd: costs.reduce<number>((sum, cost) => sum + cost!, 0) }),
    ...(messages.length === 1 ? { is_last_response: true, usage_complete: false } : {}),
  };
  return isFailed ? withFailure(whole, textAt(last!, 'errorMessage') ?? 'the agent was stopped') : whole;
}

function readMessage(message: Json, at: string): readonly Entry[] {
  if (!isJsonObject(message)) return [unknownEntry(at, message)];
  const pieces = readPieces(ownValue(message, 'content'), `${at}.content`, readPart);
  switch (textAt(message, 'role')) {
    case 'user':
      return userEntries(pieces);
    case 'assistant':
      return assistantEntries(pieces, {
        usage: usageOf(objectAt(message, 'usage')),
        model: textAt(message, 'model'),
      });
    case 'toolResult':
      return [
        {
          kind: 'result',
          id: textAt(message, 'toolCallId'),
          tool: textAt(message, 'toolName'),
          output: readOutput(pieces.text ?? valueAt(message, 'content')),
          status: message['isError'] === true ? 'error' : message['isError'] === false ? 'ok' : undefined,
        },
      ];
    default:
      return [unknownEntry(at, message)];
  }
}

function readPart(part: JsonObject): Piece | undefined {
  switch (textAt(part, 'type')) {
    case 'text':
      return { text: textAt(part, 'text') };
    case 'toolCall': {
      const tool = textAt(part, 'name');
      return tool === undefined
        ? undefined
        : { call: { tool, id: textAt(part, 'id'), input: valueAt(part, 'arguments') } };
    }
    case 'thinking':
    case 'image':
      return NOTHING;
    default:
      return undefined;
  }
}

/** Each kind of tokens counts once. */
function usageOf(usage: JsonObject | undefined): TokenUsage | undefined {
  const input = countAt(usage, 'input');
  const output = countAt(usage, 'output');
  if (input === undefined || output === undefined) return undefined;
  return toUsage({
    input: input + (countAt(usage, 'cacheWrite') ?? 0),
    output,
    cached: countAt(usage, 'cacheRead'),
  });
}
