import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../../base/model/json.ts';
import type { AskedCall, Entry } from '../../entry.ts';
import { listAt, objectAt, readArguments, readOutput, textAt, valueAt } from '../../foreign-fields.ts';
import { inclusiveUsage } from '../../provider-usage.ts';
import { jsonAt, toList, unflatten } from '../content.ts';
import { modelAnswer, sentMessages, type Fact, type TelemetryDialect } from '../fact.ts';
import { amountAt } from '../read-telemetry.ts';
import type { Span } from '../telemetry.ts';

/** OpenInference, of Arize: messages are flattened into attributes. */
export const OPENINFERENCE: TelemetryDialect = {
  name: 'OpenInference',
  span(span) {
    switch (textAt(span.attributes, 'openinference.span.kind')?.toUpperCase()) {
      case undefined:
        return undefined;
      case 'LLM':
        return [modelOf(span)];
      case 'TOOL':
        return [toolOf(span)];
      case 'AGENT':
        return [{ kind: 'agent', name: textAt(span.attributes, 'agent.name', 'graph.node.id') ?? span.name }];
      default:
        return [];
    }
  },
};

function modelOf({ attributes, isError }: Span): Fact {
  const input = unflatten(attributes, 'llm.input_messages')?.flatMap(readMessage);
  const output = unflatten(attributes, 'llm.output_messages')?.flatMap(readMessage);
  const response = langchainResponse(attributes);
  const answer = output && modelAnswer(output);
  return {
    kind: 'model',
    id: response && textAt(response, 'id'),
    model: textAt(attributes, 'llm.model_name'),
    usage: inclusiveUsage({
      prompt: amountAt(attributes, 'llm.token_count.prompt'),
      cached: amountAt(attributes, 'llm.token_count.prompt_details.cache_read'),
      output: amountAt(attributes, 'llm.token_count.completion'),
      reasoning: amountAt(attributes, 'llm.token_count.completion_details.reasoning'),
    }),
    request: input && sentMessages(input),
    answer: answer && { ...answer, calls: withIds(answer.calls, response) },
    finish: textAt(attributes, 'llm.finish_reason'),
    failed: isError ? true : undefined,
  };
}

function readMessage(item: JsonObject): readonly Entry[] {
  const message = objectAt(item, 'message') ?? item;
  const parts = toList(message['contents']).flatMap((part) => {
    const content = objectAt(part, 'message_content');
    return content === undefined ? [] : (textAt(content, 'text') ?? []);
  });
  const text = textAt(message, 'content') ?? (parts.length === 0 ? undefined : parts.join(''));
  switch (textAt(message, 'role')) {
    case 'system':
    case 'developer':
      return [{ kind: 'system', text: text ?? '' }];
    case 'user':
    case 'human':
      return [{ kind: 'user', text: text ?? '' }];
    case 'tool':
    case 'function':
      return [
        {
          kind: 'result',
          id: textAt(message, 'tool_call_id'),
          tool: textAt(message, 'name'),
          output: readOutput(text),
        },
      ];
    default:
      return [
        {
          kind: 'assistant',
          text: text === '' ? undefined : text,
          calls: toList(message['tool_calls']).flatMap(readCall),
        },
      ];
  }
}

function readCall(item: Json): readonly AskedCall[] {
  const call = isJsonObject(item) ? (objectAt(item, 'tool_call') ?? item) : {};
  const named = objectAt(call, 'function') ?? {};
  const tool = textAt(named, 'name');
  return tool === undefined
    ? []
    : [{ tool, id: textAt(call, 'id'), input: readArguments(valueAt(named, 'arguments')) }];
}

/** LangChain's own message stands beside the flattened one, and only it has ids. */
function langchainResponse(attributes: JsonObject): JsonObject | undefined {
  const output = jsonAt(attributes, 'output.value');
  const generation = isJsonObject(output) ? first(first(listAt(output, 'generations'))) : undefined;
  const message = objectAt(generation, 'message');
  return message && (objectAt(message, 'kwargs', 'data') ?? message);
}

function first(list: Json | undefined): Json | undefined {
  return isJsonList(list) ? list[0] : undefined;
}

function withIds(calls: readonly AskedCall[], response: JsonObject | undefined): readonly AskedCall[] {
  const own = (response && listAt(response, 'tool_calls')) ?? [];
  if (own.length !== calls.length) return calls;
  return calls.map((call, index) => {
    const same = own[index]!;
    return { ...call, id: call.id ?? textAt(same, 'id') };
  });
}

/** `input.value` is what the function was given, which may be one argument alone. */
function toolOf({ attributes, name, events, isError, statusMessage }: Span): Fact {
  const value = jsonAt(attributes, 'output.value') ?? valueAt(attributes, 'output.value');
  const inner = isJsonObject(value) ? (objectAt(value, 'output') ?? value) : {};
  const message = objectAt(inner, 'kwargs') ?? inner;
  const id = textAt(message, 'tool_call_id');
  const thrown = events.find((event) => event.name === 'exception')?.attributes;
  const failure = isError ? (textAt(thrown, 'exception.message') ?? statusMessage) : undefined;
  const isFailed = isError || textAt(message, 'status') === 'error';
  const given = jsonAt(attributes, 'tool.parameters', 'input.value');
  return {
    kind: 'tool',
    id: id ?? textAt(attributes, 'tool_call.id', 'tool.id'),
    tool: textAt(attributes, 'tool.name', 'tool_call.function.name') ?? name,
    input: isJsonObject(given) ? given : undefined,
    output: id !== undefined ? readOutput(valueAt(message, 'content')) : (readOutput(value) ?? failure),
    status: isFailed ? 'error' : undefined,
  };
}
