import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../../base/model/json.ts';
import type { Entry } from '../../entry.ts';
import { readArguments, readOutput, textAt, valueAt } from '../../foreign-fields.ts';
import { inclusiveUsage } from '../../provider-usage.ts';
import { jsonAt, messagesAt } from '../content.ts';
import { sentMessages, type Fact, type ModelAnswer, type TelemetryDialect } from '../fact.ts';
import { amountAt } from '../read-telemetry.ts';
import type { Span } from '../telemetry.ts';

/** `experimental_telemetry` of the AI SDK up to version 6. Version 7 follows the conventions of OpenTelemetry. */
export const AI_SDK: TelemetryDialect = {
  name: 'AI SDK',
  span(span) {
    const operation = textAt(span.attributes, 'ai.operationId');
    if (operation === undefined) return undefined;
    if (operation === 'ai.toolCall') return [toolOf(span)];
    if (/\.do(?:Generate|Stream)$/.test(operation)) return [modelOf(span)];
    return /^ai\.(?:generate|stream)(?:Text|Object)$/.test(operation) ? [agentOf(span.attributes)] : [];
  },
};

function modelOf({ attributes, isError }: Span): Fact {
  const input = messagesAt(attributes, 'ai.prompt.messages');
  return {
    kind: 'model',
    id: textAt(attributes, 'ai.response.id', 'gen_ai.response.id'),
    model: textAt(attributes, 'ai.model.id', 'gen_ai.request.model'),
    usage: inclusiveUsage({
      prompt: amountAt(
        attributes,
        'ai.usage.inputTokens',
        'ai.usage.promptTokens',
        'gen_ai.usage.input_tokens',
      ),
      cached: amountAt(
        attributes,
        'ai.usage.inputTokenDetails.cacheReadTokens',
        'ai.usage.cachedInputTokens',
      ),
      output: amountAt(
        attributes,
        'ai.usage.outputTokens',
        'ai.usage.completionTokens',
        'gen_ai.usage.output_tokens',
      ),
      reasoning: amountAt(
        attributes,
        'ai.usage.outputTokenDetails.reasoningTokens',
        'ai.usage.reasoningTokens',
      ),
    }),
    request: input && sentMessages(input),
    answer: answerOf(attributes),
    finish: textAt(attributes, 'ai.response.finishReason'),
    failed: isError ? true : undefined,
    firstTokenMs: amountAt(attributes, 'ai.response.msToFirstChunk'),
  };
}

/** Without `recordOutputs` there is neither. */
function answerOf(attributes: JsonObject): ModelAnswer | undefined {
  const text = textAt(attributes, 'ai.response.text', 'ai.response.object');
  const calls = jsonAt(attributes, 'ai.response.toolCalls');
  const isCut = calls === undefined && valueAt(attributes, 'ai.response.toolCalls') !== undefined;
  if (text === undefined && calls === undefined && !isCut) return undefined;
  const listed: readonly Json[] = isJsonList(calls) ? calls : [];
  return {
    text,
    calls: listed.filter(isJsonObject).map((call) => ({
      tool: textAt(call, 'toolName') ?? '',
      id: textAt(call, 'toolCallId'),
      input: readArguments(valueAt(call, 'input', 'args')),
    })),
    unknown: isCut
      ? [
          {
            kind: 'unknown',
            at: 'ai.response.toolCalls',
            form: 'text that is not JSON, or was cut off',
            mayHoldCall: true,
          },
        ]
      : [],
  };
}

function toolOf({ attributes, isError, statusMessage, events }: Span): Fact {
  const thrown = events.find(({ name }) => name === 'exception')?.attributes;
  const failure = isError ? (textAt(thrown, 'exception.message') ?? statusMessage) : undefined;
  return {
    kind: 'tool',
    id: textAt(attributes, 'ai.toolCall.id'),
    tool: textAt(attributes, 'ai.toolCall.name'),
    input: readArguments(valueAt(attributes, 'ai.toolCall.args')),
    output: readOutput(valueAt(attributes, 'ai.toolCall.result') ?? failure),
    status: isError ? 'error' : undefined,
  };
}

function agentOf(attributes: JsonObject): Fact {
  const output = textAt(attributes, 'ai.response.text', 'ai.response.object');
  const asked = jsonAt(attributes, 'ai.prompt');
  const prompt = textAt(asked, 'prompt');
  const entries: readonly Entry[] | undefined =
    prompt === undefined ? undefined : [{ kind: 'user', text: prompt }];
  return {
    kind: 'agent',
    name: textAt(attributes, 'ai.telemetry.functionId'),
    request: entries && sentMessages(entries),
    output,
  };
}
