import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import { addUsage } from '../../base/model/usage.ts';
import type { Entry } from '../entry.ts';
import { listAt, objectAt, textAt, valueAt } from '../foreign-fields.ts';
import { countAt, inclusiveUsage } from '../provider-usage.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import type { Trace } from '../trace.ts';
import type { Dialect } from './dialect.ts';
import { OPENAI_RESPONSE_ITEMS } from './openai-response-items.ts';
import { unknownEntry } from './pieces.ts';

/** What `run` of the OpenAI Agents SDK gives, in JavaScript and Python, its state, and lists of run items. */
export const OPENAI_AGENTS_RESULT: Dialect = {
  name: 'an OpenAI Agents result',
  recognises: (value) => runOf(value) !== undefined,
  read: (value) => readRun(runOf(value)!),
};

interface Run {
  readonly items: readonly Json[];
  readonly at: string;
  readonly responses: readonly JsonObject[];
  readonly finalOutput?: Json | undefined;
  readonly usage?: JsonObject | undefined;
}

function runOf(value: Json): Run | undefined {
  if (isJsonList(value)) {
    return value.some(isRunItem) ? { items: value, at: 'the list', responses: [] } : streamRun(value);
  }
  if (!isJsonObject(value)) return undefined;
  return resultRun(value) ?? stateRun(value) ?? stateRun(objectAt(value, 'state', '_state') ?? {});
}

function isRunItem(item: Json): boolean {
  return textAt(item, 'type')?.endsWith('_item') === true && rawItemOf(item as JsonObject) !== undefined;
}

function rawItemOf(item: JsonObject): JsonObject | undefined {
  return objectAt(item, 'rawItem', 'raw_item');
}

/** The events of a streamed run: its items, and the responses of the model when each is done. */
function streamRun(events: readonly Json[]): Run | undefined {
  const objects = events.filter(isJsonObject);
  const items = objects.map(itemOf).filter((item) => item !== undefined);
  if (!items.some(isRunItem)) return undefined;
  const responses = objects.map(responseOf).filter((response) => response !== undefined);
  return { items, at: 'the events', responses };
}

function itemOf(event: JsonObject): JsonObject | undefined {
  return textAt(event, 'type') === 'run_item_stream_event' ? objectAt(event, 'item') : undefined;
}

function responseOf(event: JsonObject): JsonObject | undefined {
  const response = objectAt(objectAt(event, 'data'), 'response');
  return response !== undefined && objectAt(response, 'usage') !== undefined ? response : undefined;
}

function resultRun(value: JsonObject): Run | undefined {
  const at = ['newItems', 'new_items'].find((name) => isJsonList(ownValue(value, name)));
  if (at === undefined) return undefined;
  const items = ownValue(value, at) as readonly Json[];
  const told = ['finalOutput', 'final_output', 'rawResponses', 'raw_responses', 'lastResponseId', 'history'];
  if (!items.some(isRunItem) && !told.some((name) => Object.hasOwn(value, name))) return undefined;
  const context = objectAt(value, 'context_wrapper');
  return {
    items,
    at,
    responses: (listAt(value, 'rawResponses', 'raw_responses') ?? []).filter(isJsonObject),
    finalOutput: valueAt(value, 'finalOutput', 'final_output'),
    usage: usageOfState(objectAt(value, 'state') ?? {}) ?? objectAt(context, 'usage'),
  };
}

function stateRun(state: JsonObject): Run | undefined {
  const at = ['generatedItems', '_generatedItems', 'generated_items'].find((name) =>
    isJsonList(ownValue(state, name)),
  );
  const responses = listAt(state, 'modelResponses', '_modelResponses', 'model_responses');
  if (at === undefined || responses === undefined) return undefined;
  const step = objectAt(state, 'currentStep', '_currentStep', 'current_step');
  return {
    items: ownValue(state, at) as readonly Json[],
    at,
    responses: responses.filter(isJsonObject),
    finalOutput: textAt(step, 'type') === 'next_step_final_output' ? valueAt(step, 'output') : undefined,
    usage: usageOfState(state),
  };
}

/** It counts the agents that run as tools too. */
function usageOfState(state: JsonObject): JsonObject | undefined {
  return objectAt(state, 'usage') ?? objectAt(objectAt(state, 'context', '_context'), 'usage');
}

function readRun({ items, at, responses, finalOutput, usage }: Run): Trace {
  const trace = traceOfEntries(readItems(items, at));
  const counted =
    agentsUsage(usage) ?? addUsage(responses.map((each) => agentsUsage(objectAt(each, 'usage'))));
  const models = [
    ...new Set(responses.flatMap((each) => textAt(objectAt(each, 'providerData'), 'model') ?? [])),
  ];
  return {
    ...trace,
    output:
      finalOutput === undefined
        ? trace.output
        : typeof finalOutput === 'string'
          ? finalOutput
          : printJson(finalOutput),
    token_usage: counted,
    models: models.length === 0 ? undefined : models,
    model_calls: responses.length === 0 ? undefined : responses.length,
  };
}

/** Runs of items of one agent are read together, so that what a model said in a row stays one message. */
function readItems(items: readonly Json[], at: string): readonly Entry[] {
  const entries: Entry[] = [];
  const asked = new Set<string>();
  let run: JsonObject[] = [];
  let speaker: string | undefined;
  const flush = (): void => {
    const agent = speaker;
    const read = OPENAI_RESPONSE_ITEMS.read(run, at);
    entries.push(...read.map((entry) => (entry.kind === 'assistant' ? { ...entry, agent } : entry)));
    run = [];
  };
  for (const [index, item] of items.entries()) {
    const raw = isJsonObject(item) ? rawItemOf(item) : undefined;
    if (!isJsonObject(item) || raw === undefined) {
      flush();
      entries.push(unknownEntry(`${at}[${index}]`, item));
      continue;
    }
    // A call that waits for an approval is listed a second time.
    const id = textAt(raw, 'callId', 'call_id');
    if (textAt(item, 'type') === 'tool_approval_item' && asked.has(id ?? '')) continue;
    if (id !== undefined) asked.add(id);
    const agent = textAt(objectAt(item, 'agent', 'sourceAgent', 'source_agent'), 'name');
    if (agent !== speaker) flush();
    speaker = agent;
    run.push(raw);
  }
  flush();
  return entries;
}

/** `inputTokens` includes tokens read from a cache. The details are a list with one entry per request. */
function agentsUsage(usage: JsonObject | undefined): TokenUsage | undefined {
  return inclusiveUsage({
    prompt: countAt(usage, 'inputTokens', 'input_tokens'),
    cached: sumOf(valueAt(usage, 'inputTokensDetails', 'input_tokens_details'), 'cached_tokens'),
    output: countAt(usage, 'outputTokens', 'output_tokens'),
    reasoning: sumOf(valueAt(usage, 'outputTokensDetails', 'output_tokens_details'), 'reasoning_tokens'),
  });
}

function sumOf(details: Json | undefined, name: string): number | undefined {
  const counts = [details ?? []].flat().flatMap((each) => countAt(each, name) ?? []);
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
}
