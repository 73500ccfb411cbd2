import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../../base/model/json.ts';
import type { TokenUsage } from '../../../base/model/reply.ts';
import type { Entry } from '../../entry.ts';
import { readArguments, readOutput, textAt, valueAt } from '../../foreign-fields.ts';
import { anthropicUsage, inclusiveUsage } from '../../provider-usage.ts';
import { answerText, jsonAt, messagesAt, readMessages } from '../content.ts';
import { modelAnswer, sentMessages, type Fact, type ModelFact, type TelemetryDialect } from '../fact.ts';
import { amountAt } from '../read-telemetry.ts';
import type { LogEvent, Span } from '../telemetry.ts';

/** The semantic conventions of OpenTelemetry for generative AI, of now and from before version 1.37. Many emit them, some with names of their own. */
export const GENAI: TelemetryDialect = {
  name: 'OpenTelemetry GenAI',
  span(span) {
    const { attributes } = span;
    const operation = textAt(attributes, 'gen_ai.operation.name') ?? operationOf(span);
    if (operation === undefined) return undefined;
    if (operation === 'execute_tool') return [toolOf(span)];
    if (operation === 'invoke_agent' || operation === 'create_agent' || operation === 'invoke_workflow')
      return agentOf(span, operation);
    return MODEL_OPERATIONS.has(operation) ? [modelOf(span)] : [];
  },
  log: readEvent,
};

const MODEL_OPERATIONS: ReadonlySet<string> = new Set([
  'chat',
  'generate_content',
  'text_completion',
  'completion',
  'responses',
]);

/** Spans that lack the operation show by other attributes what they are. */
function operationOf({ attributes, name }: Span): string | undefined {
  if (Object.hasOwn(attributes, 'gen_ai.tool.name') || Object.hasOwn(attributes, 'gen_ai.tool.call.id'))
    return 'execute_tool';
  if (name === 'anthropic.messages.create') return 'chat';
  const hasModel = textAt(attributes, 'gen_ai.request.model', 'gen_ai.response.model') !== undefined;
  const hasUse =
    amountAt(attributes, ...INPUT_TOKENS) !== undefined ||
    Object.hasOwn(attributes, 'gen_ai.response.finish_reasons');
  return hasModel && hasUse ? 'chat' : undefined;
}

function modelOf(span: Span): ModelFact {
  const { attributes, events, isError } = span;
  const written = eventEntries(events.map(({ name, attributes: own }) => ({ name, fields: own })));
  const details = events.find(({ name }) => name === DETAILS)?.attributes ?? {};
  const input =
    messagesAt(attributes, INPUT) ??
    messagesAt(details, INPUT) ??
    messagesAt(attributes, 'gen_ai.prompt') ??
    written.input;
  const output = messagesAt(attributes, OUTPUT) ?? messagesAt(details, OUTPUT) ?? written.output;
  return {
    kind: 'model',
    id: textAt(attributes, 'gen_ai.response.id', 'anthropic.request_id', 'request_id', 'gen_ai.request.id'),
    model: textAt(attributes, 'gen_ai.request.model') ?? textAt(attributes, 'gen_ai.response.model'),
    usage: usageOf(attributes),
    request: input && sentMessages(input),
    answer: output && modelAnswer(output),
    finish: finishOf(attributes),
    failed: isError ? true : undefined,
  };
}

const INPUT = 'gen_ai.input.messages';
const OUTPUT = 'gen_ai.output.messages';
const DETAILS = 'gen_ai.client.inference.operation.details';
const INPUT_TOKENS = ['gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens', 'llm.usage.prompt_tokens'];

/** `input_tokens` includes what was read from a cache, except where Anthropic's own numbers were passed on as they are. */
export function usageOf(attributes: JsonObject): TokenUsage | undefined {
  const input = amountAt(attributes, ...INPUT_TOKENS);
  const output = amountAt(
    attributes,
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'llm.usage.completion_tokens',
  );
  const cached = amountAt(
    attributes,
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'gen_ai.usage.input_tokens.cached',
    'gen_ai.usage.details.cache_read_tokens',
  );
  const written = amountAt(
    attributes,
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_creation_input_tokens',
  );
  const isBeside = input !== undefined && (cached ?? 0) + (written ?? 0) > input;
  if (isBeside && output !== undefined)
    return anthropicUsage({
      input_tokens: input,
      output_tokens: output,
      cache_read_input_tokens: cached ?? 0,
      cache_creation_input_tokens: written ?? 0,
    });
  return inclusiveUsage({
    prompt: input,
    cached,
    output,
    reasoning: amountAt(
      attributes,
      'gen_ai.usage.reasoning.output_tokens',
      'gen_ai.usage.reasoning_tokens',
      'gen_ai.usage.output_tokens.reasoning',
    ),
  });
}

function finishOf(attributes: JsonObject): string | undefined {
  const reasons =
    jsonAt(attributes, 'gen_ai.response.finish_reasons') ??
    valueAt(attributes, 'gen_ai.response.finish_reasons');
  return isJsonList(reasons) ? reasons.map(String).join() : typeof reasons === 'string' ? reasons : undefined;
}

function toolOf({ attributes, name, events, isError, statusMessage }: Span): Fact {
  const thrown = events.find((event) => event.name === 'exception')?.attributes;
  const failure = isError ? (textAt(thrown, 'exception.message') ?? statusMessage) : undefined;
  return {
    kind: 'tool',
    id: textAt(attributes, 'gen_ai.tool.call.id'),
    tool: textAt(attributes, 'gen_ai.tool.name') ?? /^execute_tool (.+)$/.exec(name)?.[1],
    input: readArguments(
      valueAt(
        attributes,
        'gen_ai.tool.call.arguments',
        'gcp.vertex.agent.tool_call_args',
        'tool_arguments',
        'gen_ai.tool.arguments',
      ),
    ),
    output: readOutput(
      valueAt(attributes, 'gen_ai.tool.call.result', 'tool_response', 'gen_ai.tool.result') ?? failure,
    ),
    status: isError ? 'error' : undefined,
  };
}

function agentOf({ attributes, name }: Span, operation: string): readonly Fact[] {
  if (operation === 'create_agent') return [];
  const input = messagesAt(attributes, INPUT);
  return [
    {
      kind: 'agent',
      name: textAt(attributes, 'gen_ai.agent.name') ?? /^invoke_agent (.+)$/.exec(name)?.[1],
      request: input && sentMessages(input),
      output: answerText(messagesAt(attributes, OUTPUT)),
    },
  ];
}

/** Events that belong to a span: the messages of a call in the form of before version 1.37, and all of it in one event after that. */
function readEvent({ name, attributes, body }: LogEvent): readonly Fact[] | undefined {
  if (name === DETAILS) {
    const span = { attributes, events: [], isError: false, name: '' } as unknown as Span;
    return [{ ...modelOf(span), isPart: true }];
  }
  if (!MESSAGE_EVENT.test(name)) return name.startsWith('gen_ai.') ? [] : undefined;
  const fields = isJsonObject(body) ? { ...attributes, ...body } : attributes;
  const { input, output } = eventEntries([{ name, fields }]);
  const request = input && sentMessages(input);
  return [{ kind: 'model', isPart: true, request, answer: output && modelAnswer(output) }];
}

const MESSAGE_EVENT = /^gen_ai\.(?:(system|user|assistant|tool)\.message|choice)$/;

interface MessageEvent {
  readonly name: string;
  readonly fields: JsonObject;
}

function eventEntries(events: readonly MessageEvent[]): {
  readonly input: readonly Entry[] | undefined;
  readonly output: readonly Entry[] | undefined;
} {
  const input: Json[] = [];
  const output: Json[] = [];
  for (const { name, fields } of events) {
    if (name === 'gen_ai.content.prompt') input.push(...listOf(jsonAt(fields, 'gen_ai.prompt')));
    if (name === 'gen_ai.content.completion') output.push(...listOf(jsonAt(fields, 'gen_ai.completion')));
    const [, role] = MESSAGE_EVENT.exec(name) ?? [];
    if (name === 'gen_ai.choice') {
      const message = jsonAt(fields, 'message');
      output.push(messageOf('assistant', isJsonObject(message) ? message : fields));
    } else if (role !== undefined) input.push(messageOf(role, fields));
  }
  return {
    input: input.length === 0 ? undefined : readMessages(input, 'the events'),
    output: output.length === 0 ? undefined : readMessages(output, 'the events'),
  };
}

function listOf(value: Json | undefined): readonly Json[] {
  return isJsonList(value) ? value : value === undefined ? [] : [value];
}

/** As OpenAI writes messages: the events took its form. */
function messageOf(role: string, fields: JsonObject): JsonObject {
  const calls = jsonAt(fields, 'tool_calls');
  const content = valueAt(fields, 'content') ?? null;
  if (role === 'tool') return { role, content, tool_call_id: textAt(fields, 'id', 'tool_call_id') ?? '' };
  return { role, content, ...(isJsonList(calls) && calls.length > 0 ? { tool_calls: calls } : {}) };
}
