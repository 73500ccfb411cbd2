import { isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import { MISTRAL_ENTRIES } from '../dialects/mistral-entries.ts';
import { listAt, numberAt, objectAt, textAt, valueAt, objectsAt } from '../foreign-fields.ts';
import { countAt, inclusiveUsage } from '../provider-usage.ts';
import {
  hasRole,
  type AskedAnswer,
  type AssembledStream,
  type ChangeResult,
  type ModelApi,
  type ModelResponse,
  type StreamEvent,
} from './model-api.ts';
import { openAiError } from './open-ai-error.ts';
import { contentText, valueText, mapItems } from './result-content.ts';

/** Mistral's conversations, which the provider keeps: a request has only what is new. */
export const MISTRAL_CONVERSATIONS: ModelApi = {
  name: 'mistral-conversations',
  path: /\/conversations(?:\/[^/]+(?:\/restart)?)?$/,
  // Other services have a path `/conversations` too.
  matchesBody: (body) => 'inputs' in body,
  dialect: MISTRAL_ENTRIES,
  readRequest: (body, path) => ({
    model: textAt(body, 'model'),
    isStreamed: body['stream'] === true,
    system: valueAt(body, 'instructions'),
    messages: readInputs(valueAt(body, 'inputs')),
    tools: objectsAt(body, 'tools').flatMap(
      (tool) => textAt(objectAt(tool, 'function') ?? tool, 'name', 'type') ?? [],
    ),
    // An agent that the provider keeps has tools of its own, and a conversation those of its first request.
    hasHiddenTools: textAt(body, 'agent_id') !== undefined || conversationIn(path) !== undefined,
    isToolForced: ['any', 'required'].includes(
      textAt(objectAt(body, 'completion_args'), 'tool_choice') ?? '',
    ),
    isStructured: objectAt(objectAt(body, 'completion_args'), 'response_format') !== undefined,
    previousResponse: conversationIn(path),
  }),
  readResponse,
  assembleStream,
  isFromModel: (entry) =>
    isJsonObject(entry) &&
    ['message.output', 'function.call', 'tool.execution'].includes(textAt(entry, 'type') ?? ''),
  isFromUser: (entry) => hasRole(entry, 'user'),
  growth: { list: 'inputs', parts: [], ids: [] },
  asReply: {
    name: 'a Mistral conversation response',
    isBody: (body) =>
      textAt(body, 'object') === 'conversation.response' && listAt(body, 'outputs') !== undefined,
    isEvent: (event) => EVENTS.test(textAt(event, 'type') ?? ''),
    isKnownEvent: (event) => EVENTS.test(textAt(event, 'type') ?? ''),
  },
  errorBody: openAiError,
  answerBody: (text, asked) => ({
    object: 'conversation.response',
    conversation_id: conversationIn(asked.path) ?? `conv_${asked.id}`,
    outputs: [{ type: 'message.output', id: `msg_${asked.id}`, role: 'assistant', content: text }],
    usage: NO_USAGE,
  }),
  answerEvents,
  mapResults: (request, change) => mapItems(request, 'inputs', (entry) => changeEntry(entry, change)),
};

const NO_USAGE = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

const EVENTS =
  /^(?:conversation\.response|message\.output|function\.call|tool\.execution|agent\.handoff)\.\w+$/;

function conversationIn(path: string): string | undefined {
  return /\/conversations\/([^/?]+)/.exec(path)?.[1];
}

function readInputs(inputs: Json | undefined): readonly Json[] {
  if (typeof inputs === 'string') return [{ type: 'message.input', role: 'user', content: inputs }];
  return Array.isArray(inputs) ? (inputs as readonly Json[]) : [];
}

function readResponse(body: JsonObject): ModelResponse | undefined {
  const outputs = listAt(body, 'outputs');
  if (outputs === undefined) return undefined;
  const isAsking = outputs.some((entry) => textAt(entry, 'type') === 'function.call');
  return {
    // The next request of the conversation names it.
    id: textAt(body, 'conversation_id', 'conversationId'),
    model: outputs.flatMap((entry) => textAt(entry, 'model') ?? [])[0],
    messages: outputs,
    finish: isAsking ? 'tool_calls' : 'stop',
    usage: usageOf(objectAt(body, 'usage')),
  };
}

/** What connectors read is counted beside the prompt. */
function usageOf(usage: JsonObject | undefined): TokenUsage | undefined {
  const prompt = countAt(usage, 'prompt_tokens', 'promptTokens');
  return inclusiveUsage({
    prompt:
      prompt === undefined
        ? undefined
        : prompt + (countAt(usage, 'connector_tokens', 'connectorTokens') ?? 0),
    output: countAt(usage, 'completion_tokens', 'completionTokens'),
  });
}

function assembleStream(events: readonly JsonObject[]): AssembledStream {
  const body: Record<string, Json> = { object: 'conversation.response' };
  const entries = new Map<number, JsonObject>();
  let isComplete = false;
  let failure: string | undefined;
  for (const event of events) {
    const type = textAt(event, 'type') ?? '';
    const { type: _, output_index: __, content_index: ___, ...fields } = event;
    const at = numberAt(event, 'output_index') ?? entries.size;
    const before = entries.get(at);
    switch (type) {
      case 'conversation.response.started':
        body['conversation_id'] = event['conversation_id'] ?? null;
        break;
      case 'conversation.response.done':
        isComplete = true;
        body['usage'] = event['usage'] ?? null;
        break;
      case 'conversation.response.error':
        failure = textAt(event, 'message') ?? 'an error';
        break;
      case 'message.output.delta': {
        const content = ((before?.['content'] as string | undefined) ?? '') + textOf(event['content']);
        entries.set(at, { ...fields, ...before, type: 'message.output', content });
        break;
      }
      case 'function.call.delta': {
        const input = (textAt(before, 'arguments') ?? '') + (textAt(event, 'arguments') ?? '');
        entries.set(at, { ...fields, ...before, type: 'function.call', arguments: input });
        break;
      }
      case 'tool.execution.delta': {
        const input = (textAt(before, 'arguments') ?? '') + (textAt(event, 'arguments') ?? '');
        entries.set(at, { ...fields, ...before, type: 'tool.execution', arguments: input });
        break;
      }
      case 'tool.execution.started':
      case 'tool.execution.done':
        entries.set(at, { ...before, ...fields, type: 'tool.execution' });
        break;
    }
  }
  const outputs = [...entries].sort(([one], [other]) => one - other).map(([, entry]) => entry);
  return { body: { ...body, outputs }, isComplete, failure };
}

function textOf(content: Json | undefined): string {
  return typeof content === 'string' ? content : (textAt(content, 'text') ?? '');
}

function answerEvents(text: string, asked: AskedAnswer): readonly StreamEvent[] {
  const id = `msg_${asked.id}`;
  const conversation_id = conversationIn(asked.path) ?? `conv_${asked.id}`;
  const events: readonly JsonObject[] = [
    { type: 'conversation.response.started', conversation_id },
    { type: 'message.output.delta', output_index: 0, id, content_index: 0, role: 'assistant', content: text },
    { type: 'conversation.response.done', usage: NO_USAGE },
  ];
  return events.map((data): StreamEvent => ({ event: data['type'] as string, data }));
}

function changeEntry(entry: JsonObject, change: ChangeResult): JsonObject {
  if (textAt(entry, 'type') !== 'function.result') return entry;
  const text = contentText(valueAt(entry, 'result'));
  const changed = text === undefined ? undefined : change({ id: textAt(entry, 'tool_call_id'), text });
  return changed === undefined ? entry : { ...entry, result: valueText(changed.value) };
}
