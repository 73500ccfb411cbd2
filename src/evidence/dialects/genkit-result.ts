import type { JsonObject } from '../../base/model/json.ts';
import { listAt, objectAt, textAt } from '../foreign-fields.ts';
import { countAt, inclusiveUsage } from '../provider-usage.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import type { Trace } from '../trace.ts';
import { withFailure } from '../unfinished-trace.ts';
import { objectDialect } from './dialect.ts';
import { GENKIT_MESSAGES } from './genkit-messages.ts';

/** What `ai.generate` of Genkit gives: the last message, and the request with all messages before it. */
export const GENKIT_RESULT = objectDialect({ name: 'a Genkit result', isMarked, read: readResult });

function isMarked(value: JsonObject): boolean {
  const message = objectAt(value, 'message');
  const isTold =
    textAt(value, 'finishReason') !== undefined && objectAt(value, 'request', 'usage') !== undefined;
  return (
    isTold &&
    message !== undefined &&
    listAt(message, 'content') !== undefined &&
    textAt(message, 'role') === 'model'
  );
}

function readResult(value: JsonObject): Trace {
  const message = objectAt(value, 'message')!;
  const request = objectAt(value, 'request');
  const history = listAt(request, 'messages') ?? [];
  const said = traceOfEntries(GENKIT_MESSAGES.read([...history, message], 'the messages'));
  const usage = objectAt(value, 'usage');
  const calls = (said.messages ?? []).filter(({ role }) => role === 'assistant').length;
  const trace: Trace = {
    ...said,
    token_usage: inclusiveUsage({
      prompt: countAt(usage, 'inputTokens'),
      cached: countAt(usage, 'cachedContentTokens'),
      output: sum(countAt(usage, 'outputTokens'), countAt(usage, 'thoughtsTokens')),
      reasoning: countAt(usage, 'thoughtsTokens'),
    }),
    model_calls: request === undefined ? undefined : calls,
    // The usage is that of the last call.
    ...(calls > 1 || request === undefined ? { usage_complete: false } : {}),
    ...(request === undefined ? { is_last_response: true } : {}),
  };
  const reason = textAt(value, 'finishReason') ?? '';
  return ['blocked', 'aborted', 'other', 'unknown'].includes(reason)
    ? withFailure(trace, textAt(value, 'finishMessage') ?? `the model ended with \`${reason}\``)
    : trace;
}

function sum(output: number | undefined, thoughts = 0): number | undefined {
  return output === undefined ? undefined : output + thoughts;
}
