import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import { objectAt, textAt, valueAt } from '../foreign-fields.ts';
import { bedrockUsage } from '../provider-usage.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import type { Trace } from '../trace.ts';
import { withEarlyEnd, withGap } from '../unfinished-trace.ts';
import { BEDROCK_MESSAGES, readBedrockMessage } from './bedrock-messages.ts';
import type { Dialect } from './dialect.ts';

/** The result of a Strands agent, in Python or JavaScript, which has only the last message, and the events of its stream, which has all. */
export const STRANDS_RESULT: Dialect = {
  name: 'a Strands result',
  recognises: (value) =>
    isJsonList(value) ? value.some(isStreamEvent) : isJsonObject(value) && messageOf(value) !== undefined,
  read: (value) =>
    isJsonList(value) ? readStream(value.filter(isJsonObject)) : readResult(value as JsonObject),
};

function messageOf(value: JsonObject): JsonObject | undefined {
  const isPython = textAt(value, 'stop_reason') !== undefined && objectAt(value, 'metrics') !== undefined;
  const isResult = isPython || textAt(value, 'type') === 'agentResult';
  const message = isResult ? objectAt(value, 'message', 'lastMessage') : undefined;
  return message !== undefined && BEDROCK_MESSAGES.recognises([message]) ? message : undefined;
}

function readResult(result: JsonObject): Trace {
  const message = messageOf(result)!;
  const trace = traceOfEntries(readBedrockMessage(message, 'message'));
  const total = objectAt(objectAt(result, 'metrics'), 'accumulated_usage', 'accumulatedUsage');
  // Otherwise only the last call tells its usage.
  const last = objectAt(objectAt(message, 'metadata'), 'usage');
  const usage = total ?? last;
  const structured = valueAt(result, 'structured_output', 'structuredOutput');
  return {
    ...withGap(trace, { at: 'message', form: 'the last message only' }),
    ...(structured === undefined ? {} : { output: printJson(structured) }),
    token_usage: bedrockUsage(usage),
    ...(total === undefined ? { is_last_response: true, usage_complete: false } : {}),
  };
}

function isStreamEvent(event: Json): boolean {
  const type = textAt(event, 'type');
  return (
    (type === 'messageAddedEvent' && isJsonObject((event as JsonObject)['message'])) ||
    type === 'agentResultEvent'
  );
}

/** A message is added as soon as it is whole. */
function readStream(events: readonly JsonObject[]): Trace {
  const messages = events
    .filter((event) => textAt(event, 'type') === 'messageAddedEvent')
    .map((event) => objectAt(event, 'message') ?? {});
  const trace = traceOfEntries(BEDROCK_MESSAGES.read(messages, 'the messages'));
  const isWhole = events.some((event) => textAt(event, 'type') === 'agentResultEvent');
  return isWhole ? trace : withEarlyEnd(trace, { at: 'the stream', form: 'it ended early' });
}
