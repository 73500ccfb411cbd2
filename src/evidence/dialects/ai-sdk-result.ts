import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import { addUsage } from '../../base/model/usage.ts';
import type { Entry, ResultEntry } from '../entry.ts';
import { listAt, numberAt, objectAt, textAt, valueAt } from '../foreign-fields.ts';
import { aiSdkUsage } from '../provider-usage.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import type { Trace } from '../trace.ts';
import { withGap } from '../unfinished-trace.ts';
import { AI_SDK_MESSAGES, isMarkedPart, readPart } from './ai-sdk-messages.ts';
import { objectDialect } from './dialect.ts';
import { assistantEntries, readPieces } from './pieces.ts';

/**
 * What `generateText` and `agent.generate` give, versions 6 and 7. `JSON.stringify` loses the getters (`text`, `toolCalls`,
 * `usage`), and in version 6 they tell of the last step only: the steps tell everything.
 */
export const AI_SDK_RESULT = objectDialect({
  name: 'an AI SDK result',
  isMarked: (value) => stepsOf(value) !== undefined || isGetters(value) || isObject(value),
  read: readResult,
});

function stepsOf(value: JsonObject): readonly JsonObject[] | undefined {
  const steps = listAt(value, 'steps') ?? [];
  return steps.length > 0 && steps.every(isStep) ? steps : undefined;
}

function isStep(step: Json): step is JsonObject {
  if (!isJsonObject(step) || Object.hasOwn(step, 'stepType')) return false;
  const holdsParts = listAt(step, 'content') !== undefined || listAt(step, 'toolCalls') !== undefined;
  const tells = textAt(step, 'finishReason') !== undefined || objectAt(step, 'response') !== undefined;
  return holdsParts && tells && [...callsOf(step)].every((call) => !Object.hasOwn(call, 'payload'));
}

function callsOf(value: JsonObject): readonly JsonObject[] {
  return (listAt(value, 'toolCalls') ?? []).filter(isJsonObject);
}

/** Getters that somebody copied, without the steps. */
function isGetters(value: JsonObject): boolean {
  if (Object.hasOwn(value, 'steps') || typeof ownValue(value, 'text') !== 'string') return false;
  const usage = objectAt(value, 'usage', 'totalUsage');
  const isOfStep = textAt(value, 'finishReason') !== undefined || listAt(value, 'toolCalls') !== undefined;
  const isTold = isOfStep && usage !== undefined && 'inputTokens' in usage;
  return isTold || callsOf(value).some(isMarkedPart);
}

/** What `generateObject` gives. */
function isObject(value: JsonObject): boolean {
  const usage = objectAt(value, 'usage');
  return (
    Object.hasOwn(value, 'object') &&
    textAt(value, 'finishReason') !== undefined &&
    usage !== undefined &&
    'inputTokens' in usage &&
    !Object.hasOwn(value, 'steps')
  );
}

function readResult(value: JsonObject): Trace {
  const steps = stepsOf(value);
  const { output: said, ...trace } = traceOfEntries(entriesOf(value, steps));
  const usage = usageOf(value, steps);
  const isWhole =
    steps !== undefined || Object.hasOwn(value, 'object') || listAt(value, 'responseMessages') !== undefined;
  return {
    ...(isWhole ? trace : lastStepAlone(trace)),
    output: outputOf(value) ?? said,
    ...(usage === undefined ? {} : { token_usage: usage, usage_complete: undefined }),
    model_calls: steps?.length,
  };
}

/** In version 6 `toolCalls` and `usage` are those of the last step. */
function lastStepAlone(trace: Trace): Trace {
  const gap = { at: 'toolCalls', form: 'without `steps`, which would tell the calls of earlier steps' };
  const isCounted = trace.token_usage !== undefined;
  return { ...withGap(trace, gap), is_last_response: true, ...(isCounted ? { usage_complete: false } : {}) };
}

function outputOf(value: JsonObject): string | undefined {
  const text = textAt(value, 'text') ?? '';
  if (text !== '') return text;
  const structured = valueAt(value, 'object', 'output', '_output', 'experimental_output');
  if (structured === undefined) return undefined;
  return typeof structured === 'string' ? structured || undefined : printJson(structured);
}

function entriesOf(value: JsonObject, steps: readonly JsonObject[] | undefined): readonly Entry[] {
  const given = new Map(resultsGivenBack(value, steps ?? []).map((result) => [result.id ?? '', result]));
  if (steps !== undefined) return steps.flatMap((step, index) => readStep(step, `steps[${index}]`, given));
  const messages = listAt(value, 'responseMessages');
  if (messages !== undefined) return AI_SDK_MESSAGES.read(messages, 'responseMessages');
  return readStep(value, 'the result', given);
}

/** One step is one call of the model, with the results of its tools. */
function readStep(step: JsonObject, at: string, given: ReadonlyMap<string, ResultEntry>): readonly Entry[] {
  const content = listAt(step, 'content');
  const listed = [...(listAt(step, 'toolCalls') ?? []), ...(listAt(step, 'toolResults') ?? [])];
  const pieces = readPieces(
    content ?? listed,
    `${at}.${content === undefined ? 'toolCalls' : 'content'}`,
    readPart,
  );
  const response = objectAt(step, 'response');
  const took = objectAt(objectAt(step, 'performance'), 'toolExecutionMs');
  return assistantEntries(
    {
      ...pieces,
      text: pieces.text ?? textAt(step, 'text'),
      results: pieces.results.map((result) => ({
        ...result,
        output: given.get(result.id ?? '')?.output ?? result.output,
        duration_ms: numberAt(took, result.id ?? ''),
      })),
    },
    {
      usage: aiSdkUsage(objectAt(step, 'usage')),
      model: textAt(response, 'modelId') ?? textAt(objectAt(step, 'model'), 'modelId'),
    },
  );
}

/** What the model was given back. Of errors, JSON keeps nothing else. */
export function resultsGivenBack(value: JsonObject, steps: readonly JsonObject[]): readonly ResultEntry[] {
  const lists = [...steps, value].flatMap((each) => {
    return [listAt(objectAt(each, 'response'), 'messages') ?? [], listAt(each, 'responseMessages') ?? []];
  });
  const entries = lists.flatMap((messages) => AI_SDK_MESSAGES.read(messages, 'messages'));
  return entries.filter((entry) => entry.kind === 'result');
}

/** In version 6 `usage` is that of the last step. */
function usageOf(value: JsonObject, steps: readonly JsonObject[] | undefined): Trace['token_usage'] {
  const told = aiSdkUsage(objectAt(value, 'totalUsage'));
  if (told !== undefined) return told;
  if (steps !== undefined) return addUsage(steps.map((step) => aiSdkUsage(objectAt(step, 'usage'))));
  return Object.hasOwn(value, 'object') ? aiSdkUsage(objectAt(value, 'usage')) : undefined;
}
