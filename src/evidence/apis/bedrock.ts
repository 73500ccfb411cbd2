import { isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import { BEDROCK_MESSAGES } from '../dialects/bedrock-messages.ts';
import { listAt, numberAt, objectAt, textAt, valueAt, objectsAt, readArguments } from '../foreign-fields.ts';
import { bedrockUsage } from '../provider-usage.ts';
import { ANTHROPIC } from './anthropic-messages.ts';
import {
  hasRole,
  type AssembledStream,
  type ChangeResult,
  type Finish,
  type ModelApi,
  type ModelResponse,
  type StreamEvent,
} from './model-api.ts';
import { valueText, mapItems } from './result-content.ts';

/** Bedrock's Converse, whose streams are binary frames. */
export const BEDROCK: ModelApi = {
  name: 'bedrock',
  path: /\/model\/[^/]+\/converse(?:-stream)?$/,
  matchesBody: (body) => listAt(body, 'messages') !== undefined,
  streamType: 'application/vnd.amazon.eventstream',
  dialect: BEDROCK_MESSAGES,
  readRequest(body, path) {
    const config = objectAt(body, 'toolConfig');
    const choice = objectAt(config, 'toolChoice');
    return {
      model: modelIn(path),
      isStreamed: path.endsWith('-stream'),
      system: valueAt(body, 'system'),
      messages: listAt(body, 'messages') ?? [],
      tools: objectsAt(config, 'tools').flatMap((tool) => {
        const spec = Object.values(tool).find(isJsonObject);
        return textAt(spec, 'name') ?? [];
      }),
      hasHiddenTools: 'promptVariables' in body,
      isToolForced: objectAt(choice, 'any', 'tool') !== undefined,
      isStructured: objectAt(body, 'outputConfig') !== undefined,
    };
  },
  readResponse,
  assembleStream,
  isFromModel: (message) => hasRole(message, 'assistant'),
  isFromUser: (message) =>
    hasRole(message, 'user') && objectsAt(message as JsonObject, 'content').some((block) => 'text' in block),
  growth: {
    list: 'messages',
    parts: ['messages', 'content', 'toolUse', 'toolResult'],
    ids: ['toolUseId'],
  },
  asReply: {
    name: 'a Bedrock Converse response',
    isBody: (body) => messageOf(body) !== undefined && textAt(body, 'stopReason') !== undefined,
    isEvent: (event) => isTyped(event) || objectAt(event, 'contentBlockDelta', 'messageStop') !== undefined,
    isKnownEvent: (event) => isTyped(event) || Object.keys(event).some((key) => EVENTS.has(key)),
  },
  errorBody: (status, message) => ({
    __type: ERROR_KINDS.get(status) ?? (status >= 500 ? 'InternalServerException' : 'ValidationException'),
    message,
  }),
  answerBody: (text) => ({
    output: { message: { role: 'assistant', content: [{ text }] } },
    stopReason: 'end_turn',
    usage: NO_USAGE,
    metrics: { latencyMs: 1 },
  }),
  answerEvents: (text): readonly StreamEvent[] => [
    { event: 'messageStart', data: { role: 'assistant' } },
    { event: 'contentBlockDelta', data: { contentBlockIndex: 0, delta: { text } } },
    { event: 'contentBlockStop', data: { contentBlockIndex: 0 } },
    { event: 'messageStop', data: { stopReason: 'end_turn' } },
    { event: 'metadata', data: { usage: NO_USAGE, metrics: { latencyMs: 1 } } },
  ],
  mapResults: (request, change) =>
    mapItems(request, 'messages', (message) =>
      mapItems(message, 'content', (block) => changeBlock(block, change)),
    ),
};

/** Claude through Bedrock's `invoke`: Anthropic's API, with the model in the path and streams in frames. */
export const BEDROCK_ANTHROPIC: ModelApi = {
  ...ANTHROPIC,
  path: /\/model\/[^/]+\/invoke(?:-with-response-stream)?$/,
  matchesBody: (body) => listAt(body, 'messages') !== undefined && 'anthropic_version' in body,
  streamType: 'application/vnd.amazon.eventstream',
  readRequest: (body, path) => ({
    ...ANTHROPIC.readRequest(body, path),
    model: modelIn(path),
    isStreamed: path.endsWith('-stream'),
  }),
  addresses: [],
  asReply: undefined,
  errorBody: BEDROCK.errorBody,
  answerEvents: (text, asked) =>
    ANTHROPIC.answerEvents(text, asked)?.map((event) => ({ ...event, event: 'chunk' })),
};

const NO_USAGE = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

const ERROR_KINDS: ReadonlyMap<number, string> = new Map([
  [403, 'AccessDeniedException'],
  [404, 'ResourceNotFoundException'],
  [408, 'ModelTimeoutException'],
  [429, 'ThrottlingException'],
  [503, 'ServiceUnavailableException'],
]);

/** Of `/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse`. */
function modelIn(path: string): string | undefined {
  const name = /\/model\/([^/]+)\/[\w-]+$/.exec(path)?.[1];
  try {
    return name === undefined ? undefined : decodeURIComponent(name);
  } catch {
    return name;
  }
}

function messageOf(body: JsonObject): JsonObject | undefined {
  const message = objectAt(objectAt(body, 'output'), 'message');
  return message !== undefined && listAt(message, 'content') !== undefined ? message : undefined;
}

function readResponse(body: JsonObject): ModelResponse | undefined {
  const message = messageOf(body);
  if (message === undefined) return undefined;
  const reason = textAt(body, 'stopReason') ?? '';
  return {
    messages: [{ ...message, role: 'assistant' }],
    finish: FINISH.get(reason) ?? 'stop',
    usage: bedrockUsage(objectAt(body, 'usage')),
    isRefused: FINISH.get(reason) === 'blocked',
  };
}

const FINISH: ReadonlyMap<string, Finish> = new Map([
  ['tool_use', 'tool_calls'],
  ['malformed_tool_use', 'tool_calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['guardrail_intervened', 'blocked'],
  ['content_filtered', 'blocked'],
]);

const EVENTS: ReadonlySet<string> = new Set([
  'messageStart',
  'contentBlockStart',
  'contentBlockDelta',
  'contentBlockStop',
  'messageStop',
  'metadata',
]);

/** Read from the wire, an event has its name as `type`. Its fields show it too. */
function isTyped(event: JsonObject): boolean {
  const type = textAt(event, 'type') ?? '';
  return (
    EVENTS.has(type) &&
    ('contentBlockIndex' in event || 'stopReason' in event || 'metrics' in event || 'role' in event)
  );
}

/** `{type: 'contentBlockDelta', delta}` from the wire, `{contentBlockDelta: {delta}}` from the SDK. */
function eventOf(event: JsonObject): readonly [name: string, fields: JsonObject] {
  const name = textAt(event, 'type');
  if (name !== undefined) return [name, event];
  const [key = '', fields] = Object.entries(event).find(([, value]) => isJsonObject(value)) ?? [];
  return [key, isJsonObject(fields) ? fields : {}];
}

interface Block {
  readonly start: JsonObject;
  text: string;
  input: string;
}

function assembleStream(events: readonly JsonObject[]): AssembledStream {
  const blocks = new Map<number, Block>();
  const blockAt = (index: number, start: JsonObject = {}): Block => {
    const block = blocks.get(index) ?? { start, text: '', input: '' };
    blocks.set(index, block);
    return block;
  };
  let stopReason: string | undefined;
  let usage: JsonObject | undefined;
  let failure: string | undefined;
  for (const event of events) {
    const [name, fields] = eventOf(event);
    const index = numberAt(fields, 'contentBlockIndex') ?? 0;
    if (name === 'contentBlockStart') blockAt(index, objectAt(fields, 'start'));
    else if (name === 'contentBlockDelta') {
      const delta = objectAt(fields, 'delta');
      const block = blockAt(index);
      block.text += textAt(delta, 'text') ?? '';
      block.input += textAt(objectAt(delta, 'toolUse'), 'input') ?? '';
    } else if (name === 'messageStop') stopReason = textAt(fields, 'stopReason');
    else if (name === 'metadata') usage = objectAt(fields, 'usage');
    else if (/(?:Exception|Error)$/i.test(name)) failure = textAt(fields, 'message') ?? name;
  }
  const content = [...blocks].sort(([one], [other]) => one - other).flatMap(([, block]) => finished(block));
  return {
    body: {
      output: { message: { role: 'assistant', content } },
      stopReason: stopReason ?? null,
      ...(usage === undefined ? {} : { usage }),
    },
    isComplete: stopReason !== undefined,
    failure,
  };
}

/** Thinking is left out. */
function finished({ start, text, input }: Block): readonly Json[] {
  const use = objectAt(start, 'toolUse');
  if (use !== undefined) return [{ toolUse: { ...use, input: readArguments(input)! } }];
  const result = objectAt(start, 'toolResult');
  if (result !== undefined) return [{ toolResult: result }];
  return text === '' ? [] : [{ text }];
}

function changeBlock(block: JsonObject, change: ChangeResult): JsonObject {
  const result = objectAt(block, 'toolResult');
  if (result === undefined) return block;
  const parts = listAt(result, 'content') ?? [];
  const isText = (part: Json): boolean => isJsonObject(part) && ('text' in part || 'json' in part);
  const text = parts
    .filter(isText)
    .map((part) => valueText(valueAt(part as JsonObject, 'text', 'json') ?? ''))
    .join('');
  const changed = change({ id: textAt(result, 'toolUseId'), text });
  if (changed === undefined) return block;
  const rest = changed.keepsRest ? parts.filter((part) => !isText(part)) : [];
  return { toolResult: { ...result, content: [{ text: valueText(changed.value) }, ...rest] } };
}
