import { isJsonObject, type Json, type JsonObject } from '../../../model/json.ts';
import { OPENAI_RESPONSE_ITEMS } from '../../dialects/openai-response-items.ts';
import { listAt, objectAt, textAt, valueAt } from '../../foreign-fields.ts';
import { openaiResponsesUsage } from '../../provider-usage.ts';
import { describeError } from '../describe-error.ts';
import { objectsAt } from '../objects-at.ts';
import { assembleResponsesStream } from '../streams/openai-responses-stream.ts';
import { hasRole, type Finish, type ModelApi, type ModelResponse } from './model-api.ts';
import { isStructured } from './openai-chat.ts';

/** The Responses API of OpenAI and Azure. */
export const OPENAI_RESPONSES: ModelApi = {
  name: 'responses',
  path: /\/responses$/,
  // Other services have a path `/responses` too.
  matchesBody: (body) =>
    ('model' in body || 'prompt' in body) &&
    ['input', 'prompt', 'previous_response_id', 'conversation'].some((key) => key in body),
  dialect: OPENAI_RESPONSE_ITEMS,
  readRequest: (body) => ({
    model: textAt(body, 'model'),
    isStreamed: body['stream'] === true,
    system: valueAt(body, 'instructions'),
    messages: readInput(valueAt(body, 'input')),
    tools: objectsAt(body, 'tools').flatMap((tool) => textAt(tool, 'name', 'type') ?? []),
    hasHiddenTools: 'prompt' in body,
    isToolForced: isForced(valueAt(body, 'tool_choice')),
    isStructured: isStructured(objectAt(objectAt(body, 'text') ?? {}, 'format')),
    previousResponse: textAt(body, 'previous_response_id'),
    conversation: textAt(body, 'conversation') ?? textAt(objectAt(body, 'conversation') ?? {}, 'id'),
  }),
  readResponse,
  assembleStream: assembleResponsesStream,
  isFromModel: (item) =>
    hasRole(item, 'assistant') || (isJsonObject(item) && MODEL_ITEM.test(textAt(item, 'type') ?? '')),
  isFromUser: (item) => hasRole(item, 'user'),
};

/** A reference to an item that the provider keeps. SDKs send references only to items of the model. */
const MODEL_ITEM = /^(?:reasoning|item_reference|program|.*_call|mcp_list_tools|mcp_approval_request)$/;

function readInput(input: Json | undefined): readonly Json[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  return Array.isArray(input) ? (input as readonly Json[]) : [];
}

function isForced(choice: Json | undefined): boolean {
  if (isJsonObject(choice)) return textAt(choice, 'type') !== 'allowed_tools';
  return choice === 'required';
}

function readResponse(body: JsonObject): ModelResponse | undefined {
  const output = listAt(body, 'output');
  const status = textAt(body, 'status');
  const error = valueAt(body, 'error');
  if (output === undefined && error === undefined) return undefined;
  const usage = objectAt(body, 'usage');
  const reason = textAt(objectAt(body, 'incomplete_details') ?? {}, 'reason');
  const items = output ?? [];
  return {
    id: textAt(body, 'id'),
    model: textAt(body, 'model'),
    messages: items,
    finish: finishOf(items, status === 'incomplete' ? (reason ?? 'max_output_tokens') : undefined),
    usage: usage === undefined ? undefined : openaiResponsesUsage(usage),
    isRefused: reason === 'content_filter' || items.some(isRefusal),
    failure: error === undefined ? FAILED.get(status ?? '') : describeError(error),
    isPending: status === 'queued' || status === 'in_progress',
  };
}

const FAILED: ReadonlyMap<string, string> = new Map([
  ['failed', 'it failed'],
  ['cancelled', 'it was cancelled'],
  ['queued', 'it runs in the background'],
  ['in_progress', 'it runs in the background'],
]);

function finishOf(items: readonly Json[], cut: string | undefined): Finish {
  if (cut !== undefined) return cut === 'content_filter' ? 'blocked' : 'length';
  const asks = items.some((item) => isJsonObject(item) && PROGRAM_CALL.test(textAt(item, 'type') ?? ''));
  return asks ? 'tool_calls' : 'stop';
}

/** Calls that the program runs. The others are run by the provider. */
const PROGRAM_CALL = /^(?:function|custom_tool|computer|local_shell|shell|apply_patch)_call$/;

function isRefusal(item: Json): boolean {
  return isJsonObject(item) && objectsAt(item, 'content').some((part) => part['type'] === 'refusal');
}
