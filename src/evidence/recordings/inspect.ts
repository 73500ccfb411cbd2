import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import { addUsage } from '../../base/model/usage.ts';
import { numberAt, objectAt, textAt, objectsAt } from '../foreign-fields.ts';
import { countAt, toUsage } from '../provider-usage.ts';
import { chatTurns, withFacts } from './chat.ts';
import { idText, type Recording, type RecordingFormat } from './recording.ts';

/** A log of Inspect: `.json`, and the parts of `.eval` files. Usage stands on samples, outputs and events: that of samples counts. */
export const INSPECT: RecordingFormat = {
  name: 'inspect',
  title: 'an Inspect log',
  recognises: ([first]) => first !== undefined && (isLog(first) || isSample(first)),
  open() {
    let model: string | undefined;
    return {
      add(value) {
        if (isSample(value)) return [readSample(value, model)];
        model = textAt(objectAt(value, 'eval'), 'model') ?? model;
        return objectsAt(value, 'samples').map((sample) => readSample(sample, model));
      },
      end: () => [],
    };
  },
};

function isLog(value: JsonObject): boolean {
  const about = objectAt(value, 'eval');
  return (
    about !== undefined && 'task' in about && 'model' in about && ('plan' in value || 'version' in value)
  );
}

function isSample(value: JsonObject): boolean {
  return 'epoch' in value && 'input' in value && Array.isArray(value['messages']) && 'output' in value;
}

function readSample(sample: JsonObject, model: string | undefined): Recording {
  const messages = objectsAt(sample, 'messages').map(toChatMessage);
  const attachments = objectAt(sample, 'attachments') ?? {};
  const turns = chatTurns(
    messages.map((message) => attached(message, attachments)),
    1,
  );
  const byModel = objectAt(sample, 'model_usage') ?? {};
  const models = Object.keys(byModel);
  const usage = addUsage(
    Object.values(byModel).map((each) => (isJsonObject(each) ? usageOf(each) : undefined)),
  );
  const known = models.length > 0 ? models : model === undefined ? undefined : [model];
  const facts = objectsAt(objectAt(sample, 'metadata'), 'assay_turns');
  const scores = Object.entries(objectAt(sample, 'scores') ?? {}).map(([name, score]) => [
    name,
    isJsonObject(score) ? (ownValue(score, 'value') ?? null) : score,
  ]);
  const error = objectAt(sample, 'error');
  const seconds = numberAt(sample, 'total_time');
  return {
    id: idText(ownValue(sample, 'id')) ?? '1',
    target: model ?? models[0] ?? 'inspect',
    repeat: numberAt(sample, 'epoch') ?? 1,
    line: 1,
    turns:
      facts.length === turns.length
        ? withFacts(turns, facts)
        : turns.map((turn) => ({
            ...turn,
            models: known,
            ...(turns.length === 1 ? { token_usage: usage } : {}),
          })),
    token_usage: usage,
    duration_ms: seconds === undefined ? undefined : seconds * 1000,
    scores: scores.length === 0 ? undefined : Object.fromEntries(scores),
    metadata: { sample: ownValue(sample, 'id') ?? null, epoch: ownValue(sample, 'epoch') ?? null },
    failure: error && (textAt(error, 'message') ?? 'the sample ended with an error'),
  };
}

/** Calls have `function` and `arguments` side by side. */
function toChatMessage(message: JsonObject): JsonObject {
  const calls = objectsAt(message, 'tool_calls').map((call) => ({
    id: ownValue(call, 'id') ?? null,
    type: 'function',
    function: { name: ownValue(call, 'function') ?? null, arguments: ownValue(call, 'arguments') ?? null },
  }));
  const { tool_calls: _calls, function: name, ...rest } = message;
  return {
    ...rest,
    ...(name === undefined ? {} : { name }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** Long texts stand in a table of the sample. */
function attached(value: Json, attachments: JsonObject): Json {
  if (typeof value === 'string') {
    const key = value.startsWith(ATTACHMENT) ? value.slice(ATTACHMENT.length) : undefined;
    return (key === undefined ? undefined : ownValue(attachments, key)) ?? value;
  }
  if (Array.isArray(value)) return value.map((each: Json) => attached(each, attachments));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, attached(each, attachments)]));
}

const ATTACHMENT = 'attachment://';

/** Whether the cached tokens are inside of the input, the total tells. */
function usageOf(usage: JsonObject | undefined): TokenUsage | undefined {
  const input = countAt(usage, 'input_tokens');
  const output = countAt(usage, 'output_tokens');
  if (input === undefined || output === undefined) return undefined;
  const cached = countAt(usage, 'input_tokens_cache_read');
  const written = countAt(usage, 'input_tokens_cache_write') ?? 0;
  const isInside = countAt(usage, 'total_tokens') === input + output;
  return toUsage({
    input: isInside ? input - Math.min(input, cached ?? 0) : input + written,
    output,
    cached,
    reasoning: countAt(usage, 'reasoning_tokens'),
  });
}
