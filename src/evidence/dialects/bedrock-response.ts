import { isJsonObject, type JsonObject } from '../../model/json.ts';
import type { TokenUsage } from '../../model/reply.ts';
import { listAt, objectAt, textAt } from '../foreign-fields.ts';
import { countAt, toUsage } from '../provider-usage.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import { withGap } from '../unfinished-trace.ts';
import { BEDROCK_MESSAGES, readBedrockMessage } from './bedrock-messages.ts';
import type { Dialect } from './dialect.ts';

/** What `converse` of Bedrock returns, and the result of a Strands agent, which has only the last message. */
export const BEDROCK_RESPONSE: Dialect = {
  name: 'a Bedrock Converse response',
  recognises: (value) =>
    isJsonObject(value) && (responseMessage(value) ?? strandsMessage(value)) !== undefined,
  read(value) {
    const result = value as JsonObject;
    const message = responseMessage(result);
    if (message !== undefined) {
      const usage = bedrockUsage(objectAt(result, 'usage') ?? {});
      const entries = readBedrockMessage(message, 'output.message', { usage });
      return { ...traceOfEntries(entries), model_calls: 1, is_last_response: true };
    }
    const trace = traceOfEntries(readBedrockMessage(strandsMessage(result)!, 'message'));
    const usage = objectAt(objectAt(result, 'metrics') ?? {}, 'accumulated_usage');
    return {
      ...withGap(trace, { at: 'message', form: 'the last message only' }),
      token_usage: usage === undefined ? undefined : bedrockUsage(usage),
    };
  },
};

function responseMessage(value: JsonObject): JsonObject | undefined {
  const message = objectAt(objectAt(value, 'output') ?? {}, 'message');
  if (message === undefined || textAt(value, 'stopReason') === undefined) return undefined;
  return listAt(message, 'content') === undefined ? undefined : message;
}

function strandsMessage(value: JsonObject): JsonObject | undefined {
  const message = objectAt(value, 'message');
  const isResult = textAt(value, 'stop_reason') !== undefined && objectAt(value, 'metrics') !== undefined;
  return isResult && message !== undefined && BEDROCK_MESSAGES.recognises([message]) ? message : undefined;
}

/** Cache reads and writes are not part of `inputTokens`. */
function bedrockUsage(usage: JsonObject): TokenUsage | undefined {
  const input = countAt(usage, 'inputTokens');
  const output = countAt(usage, 'outputTokens');
  if (input === undefined || output === undefined) return undefined;
  const written = countAt(usage, 'cacheWriteInputTokens') ?? 0;
  return toUsage({ input: input + written, output, cached: countAt(usage, 'cacheReadInputTokens') });
}
