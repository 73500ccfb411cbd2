import { isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import { GEMINI_STEPS } from '../dialects/gemini-steps.ts';
import { listAt, numberAt, objectAt, textAt, valueAt, objectsAt } from '../foreign-fields.ts';
import { countAt, inclusiveUsage } from '../provider-usage.ts';
import { describeError } from './describe-error.ts';
import { geminiError } from './gemini.ts';
import {
  hasRole,
  type AskedAnswer,
  type AssembledStream,
  type ChangeResult,
  type Finish,
  type ModelApi,
  type ModelResponse,
  type StreamEvent,
} from './model-api.ts';
import { changeContent, contentText, valueText, mapItems } from './result-content.ts';

/** Gemini's interactions, which the provider may keep: then a request has only what is new. */
export const GEMINI_INTERACTIONS: ModelApi = {
  name: 'gemini-interactions',
  path: /\/interactions$/,
  matchesBody: (body) => ['model', 'agent'].some((key) => key in body) && 'input' in body,
  dialect: GEMINI_STEPS,
  readRequest(body) {
    const config = objectAt(body, 'generation_config');
    return {
      model: textAt(body, 'model', 'agent'),
      isStreamed: body['stream'] === true,
      system: valueAt(body, 'system_instruction'),
      messages: readInput(valueAt(body, 'input')),
      tools: objectsAt(body, 'tools').flatMap((tool) => textAt(tool, 'name', 'type') ?? []),
      hasHiddenTools: 'agent' in body || 'cached_content' in body,
      isToolForced: /any/i.test(textAt(config, 'tool_choice') ?? ''),
      isStructured: valueAt(body, 'response_format', 'response_mime_type') !== undefined,
      previousResponse: textAt(body, 'previous_interaction_id'),
    };
  },
  readResponse,
  assembleStream,
  isFromModel: (step) => hasRole(step, 'model') || MODEL_STEP.test(textAt(step, 'type') ?? ''),
  isFromUser: (step) => hasRole(step, 'user') || textAt(step, 'type') === 'user_input',
  growth: { list: 'input', parts: ['content'], ids: ['call_id'] },
  asReply: {
    name: 'a Gemini interaction',
    isBody: (body) =>
      itemsOf(body) !== undefined && STATUSES.has(textAt(body, 'status') ?? '') && 'id' in body,
    isEvent: (event) => EVENTS.test(textAt(event, 'event_type') ?? ''),
    isKnownEvent: (event) => EVENTS.test(textAt(event, 'event_type') ?? '') || 'error' in event,
  },
  errorBody: geminiError,
  answerBody: (text, asked) => ({ ...headOf(asked), steps: [stepOf(text)], usage: NO_USAGE }),
  answerEvents(text, asked) {
    const { status: _, ...begun } = headOf(asked);
    const events: readonly JsonObject[] = [
      { event_type: 'interaction.created', interaction: { ...begun, status: 'in_progress' } },
      { event_type: 'step.start', index: 0, step: stepOf('') },
      { event_type: 'step.delta', index: 0, delta: { type: 'text', text } },
      { event_type: 'step.stop', index: 0 },
      { event_type: 'interaction.completed', interaction: { ...headOf(asked), usage: NO_USAGE } },
    ];
    return events.map((data): StreamEvent => ({ event: data['event_type'] as string, data }));
  },
  mapResults: (request, change) => mapItems(request, 'input', (step) => changeStep(step, change)),
};

/** What the model wrote, in a request that repeats it. */
const MODEL_STEP = /^(?:model_output|thought|\w+_call|(?!function_)\w+_result)$/;
const EVENTS = /^(?:interaction|step|content)\.\w+$/;

const STATUSES: ReadonlySet<string> = new Set([
  'completed',
  'requires_action',
  'requires_continuation',
  'incomplete',
  'budget_exceeded',
  'failed',
  'cancelled',
  'in_progress',
  'queued',
]);

/** A text, a content, contents, steps, or, in older versions, turns with a role. */
function readInput(input: Json | undefined): readonly Json[] {
  if (input === undefined) return [];
  const list = Array.isArray(input) ? (input as readonly Json[]) : [input];
  const isContents = list.every(
    (each) => typeof each === 'string' || CONTENT.has(textAt(each, 'type') ?? ''),
  );
  return isContents ? [{ type: 'user_input', content: list.map(toPart) }] : list;
}

const CONTENT: ReadonlySet<string> = new Set(['text', 'image', 'audio', 'document', 'video']);

function toPart(content: Json): Json {
  return typeof content === 'string' ? { type: 'text', text: content } : content;
}

/** Older versions call them outputs. */
function itemsOf(body: JsonObject): readonly Json[] | undefined {
  return listAt(body, 'steps', 'outputs');
}

function readResponse(body: JsonObject): ModelResponse | undefined {
  const items = itemsOf(body);
  const error = valueAt(body, 'error') ?? listAt(body, 'errors')?.[0];
  const status = textAt(body, 'status') ?? '';
  if (items === undefined && error === undefined && !STATUSES.has(status)) return undefined;
  // A response may repeat what was asked.
  const said = (items ?? []).filter(
    (item) =>
      !isJsonObject(item) ||
      (textAt(item, 'type') !== 'user_input' && textAt(item, 'type') !== 'function_result'),
  );
  return {
    id: textAt(body, 'id'),
    model: textAt(body, 'model', 'agent'),
    messages: said,
    finish: FINISH.get(status) ?? 'stop',
    usage: usageOf(objectAt(body, 'usage')),
    failure: error === undefined ? FAILED.get(status) : describeError(error),
    isPending: ['in_progress', 'queued', 'requires_continuation'].includes(status),
  };
}

const FINISH: ReadonlyMap<string, Finish> = new Map([
  ['requires_action', 'tool_calls'],
  ['incomplete', 'length'],
  ['budget_exceeded', 'length'],
]);
const FAILED: ReadonlyMap<string, string> = new Map([
  ['failed', 'it failed'],
  ['cancelled', 'it was cancelled'],
]);

/** The input includes tokens read from a cache; thoughts and what tools read are counted beside. */
function usageOf(usage: JsonObject | undefined): TokenUsage | undefined {
  const input = countAt(usage, 'total_input_tokens');
  const thoughts = countAt(usage, 'total_thought_tokens');
  const output = countAt(usage, 'total_output_tokens');
  return inclusiveUsage({
    prompt: input === undefined ? undefined : input + (countAt(usage, 'total_tool_use_tokens') ?? 0),
    cached: countAt(usage, 'total_cached_tokens'),
    output: output === undefined ? undefined : output + (thoughts ?? 0),
    reasoning: thoughts,
  });
}

function assembleStream(events: readonly JsonObject[]): AssembledStream {
  let body: JsonObject = {};
  const steps = new Map<number, JsonObject>();
  let isComplete = false;
  let failure: string | undefined;
  for (const event of events) {
    const index = numberAt(event, 'index') ?? steps.size - 1;
    switch (textAt(event, 'event_type')) {
      case 'interaction.created':
      case 'interaction.start':
        body = objectAt(event, 'interaction') ?? {};
        break;
      case 'interaction.completed':
      case 'interaction.complete':
        isComplete = true;
        body = { ...body, ...objectAt(event, 'interaction') };
        break;
      case 'step.start':
      case 'content.start':
        steps.set(index, objectAt(event, 'step', 'content') ?? {});
        break;
      case 'step.delta':
      case 'content.delta':
        steps.set(index, extended(steps.get(index) ?? {}, objectAt(event, 'delta') ?? {}));
        break;
      case 'error':
        failure = describeError(event['error'] ?? 'an error');
        break;
    }
  }
  const whole = itemsOf(body) ?? [];
  const collected = [...steps].sort(([one], [other]) => one - other).map(([, step]) => finished(step));
  return { body: { ...body, steps: whole.length > 0 ? whole : collected }, isComplete, failure };
}

function extended(step: JsonObject, delta: JsonObject): JsonObject {
  switch (textAt(delta, 'type')) {
    case 'text': {
      if (textAt(step, 'type') === 'text')
        return { ...step, text: (textAt(step, 'text') ?? '') + (textAt(delta, 'text') ?? '') };
      const parts = listAt(step, 'content') ?? [];
      const last = parts.at(-1);
      const before = textAt(last, 'text') ?? '';
      const text = { type: 'text', text: before + (textAt(delta, 'text') ?? '') };
      return { ...step, content: [...parts.slice(0, -1), text] };
    }
    case 'arguments_delta': {
      const before = step['arguments'];
      return {
        ...step,
        arguments: (typeof before === 'string' ? before : '') + (textAt(delta, 'arguments') ?? ''),
      };
    }
    case 'thought_signature':
    case 'thought_summary':
    case 'text_annotation':
      return step;
    default:
      // Calls and results come whole.
      return { ...step, ...delta };
  }
}

function finished(step: JsonObject): JsonObject {
  return textAt(step, 'type') === 'function_call' && step['arguments'] === ''
    ? { ...step, arguments: {} }
    : step;
}

const NO_USAGE = { total_input_tokens: 0, total_output_tokens: 0, total_tokens: 0 };

function headOf({ id, model }: AskedAnswer): JsonObject {
  return { id: `interaction_${id}`, object: 'interaction', model, status: 'completed' };
}

function stepOf(text: string): JsonObject {
  return { type: 'model_output', content: [{ type: 'text', text }] };
}

function changeStep(step: JsonObject, change: ChangeResult): JsonObject {
  if (textAt(step, 'type') !== 'function_result') return step;
  const result = valueAt(step, 'result');
  const text = isJsonObject(result) ? valueText(result) : contentText(result);
  if (text === undefined) return step;
  const changed = change({ id: textAt(step, 'call_id'), tool: textAt(step, 'name'), text });
  return changed === undefined ? step : { ...step, result: changeContent(result, changed) };
}
