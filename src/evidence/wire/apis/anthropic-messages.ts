import type { JsonObject } from '../../../model/json.ts';
import { ANTHROPIC_MESSAGES } from '../../dialects/anthropic-messages.ts';
import { listAt, numberAt, objectAt, textAt, valueAt } from '../../foreign-fields.ts';
import { anthropicUsage } from '../../provider-usage.ts';
import { describeError } from '../describe-error.ts';
import { objectsAt } from '../objects-at.ts';
import { assembleAnthropicStream } from '../streams/anthropic-stream.ts';
import { hasRole, type CallUsage, type Finish, type ModelApi, type ModelResponse } from './model-api.ts';

/** Anthropic's Messages API. Its SDK posts to `/v1/messages`, others to `/messages`, and Vertex to `:rawPredict`. */
export const ANTHROPIC: ModelApi = {
  name: 'anthropic',
  path: /\/messages$|:(?:streamRawPredict|rawPredict)$/,
  // Other services have a path `/messages` too.
  matchesBody: (body) =>
    listAt(body, 'messages') !== undefined &&
    ['model', 'max_tokens', 'anthropic_version'].some((key) => key in body),
  dialect: ANTHROPIC_MESSAGES,
  readRequest: (body, path) => ({
    model: textAt(body, 'model') ?? /\/models\/([^/:]+):\w+$/.exec(path)?.[1],
    isStreamed: body['stream'] === true || path.endsWith(':streamRawPredict'),
    system: valueAt(body, 'system'),
    messages: listAt(body, 'messages') ?? [],
    tools: objectsAt(body, 'tools').flatMap((tool) => textAt(tool, 'name') ?? []),
    hasHiddenTools: 'mcp_servers' in body,
    isToolForced: ['tool', 'any'].includes(textAt(objectAt(body, 'tool_choice') ?? {}, 'type') ?? ''),
    isStructured: objectAt(body, 'output_format', 'output_config') !== undefined,
    // The server keeps a thread, so a request has only the new messages.
    previousResponse: textAt(objectAt(body, 'thread') ?? {}, 'previous_message_id'),
  }),
  readResponse,
  assembleStream: assembleAnthropicStream,
  isFromModel: (message) => hasRole(message, 'assistant'),
  isFromUser: (message) => hasRole(message, 'user'),
};

function readResponse(body: JsonObject): ModelResponse | undefined {
  const content = listAt(body, 'content');
  if (content === undefined) {
    const error = valueAt(body, 'error');
    return error === undefined ? undefined : { messages: [], finish: 'stop', failure: describeError(error) };
  }
  const reason = textAt(body, 'stop_reason');
  const usage = objectAt(body, 'usage');
  return {
    id: textAt(body, 'id'),
    model: textAt(body, 'model'),
    messages: [{ role: 'assistant', content }],
    finish: FINISH.get(reason ?? '') ?? 'stop',
    usage: usage === undefined ? undefined : readUsage(usage),
    isRefused: reason === 'refusal',
  };
}

const FINISH: ReadonlyMap<string, Finish> = new Map([
  ['tool_use', 'tool_calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['pause_turn', 'pause'],
  ['refusal', 'blocked'],
]);

function readUsage(usage: JsonObject): CallUsage | undefined {
  const read = anthropicUsage(usage);
  const written = numberAt(usage, 'cache_creation_input_tokens') ?? 0;
  return read === undefined || written === 0 ? read : { ...read, cache_write: written };
}
