import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import type { SentRequest } from '../../base/model/sent-request.ts';
import { sentText } from '../../base/model/sent-texts.ts';
import type { Exchange } from '../exchange.ts';
import type { ModelCall } from './read-model-call.ts';

/** What a call sent. Undefined: its request was not kept, so nobody knows. `added`: the messages that are new in it. */
export function sentRequest(
  { request: body }: Pick<Exchange, 'request'>,
  { api, request, outcome }: ModelCall,
  added: readonly Json[],
): SentRequest | undefined {
  if (body === undefined) return undefined;
  // Code Assist wraps the request.
  const { request: wrapped, ...around } = body;
  const fields: JsonObject = isJsonObject(wrapped) ? { ...around, ...wrapped } : body;
  const leading = leadingMessages({ api, request });
  const system = [...(request.system === undefined ? [] : [request.system]), ...leading];
  const tools = TOOL_FIELDS.flatMap((name) => (isJsonList(fields[name]) ? fields[name] : []));
  const inConfig = isJsonObject(fields['toolConfig']) ? fields['toolConfig']['tools'] : undefined;
  const known = new Set([api.growth.list, ...SYSTEM_FIELDS, ...TOOL_FIELDS]);
  const parameters = Object.entries(fields).filter(([name]) => !known.has(name));
  const isStart = added === request.messages;
  return {
    system: system.length === 0 ? undefined : sentText(system.length === 1 ? system[0]! : system),
    tools: sentText(tools.length > 0 ? tools : inConfig),
    parameters:
      parameters.length === 0 ? undefined : sentText(Object.fromEntries(parameters.map(withoutTools))),
    messages: sentText(isStart ? added.slice(leading.length) : added),
    usage: outcome.kind === 'answered' ? sentText(outcome.answer.rawUsage) : undefined,
  };
}

const SYSTEM_FIELDS = ['system', 'instructions', 'systemInstruction', 'system_instruction'];
const TOOL_FIELDS = ['tools', 'functions'];

function withoutTools([name, value]: [string, Json]): [string, Json] {
  if (name !== 'toolConfig' || !isJsonObject(value)) return [name, value];
  const { tools: _, ...others } = value;
  return [name, others];
}

/** The messages before the conversation: some APIs have the system prompt there. */
export function leadingMessages({
  api,
  request: { messages },
}: Pick<ModelCall, 'api' | 'request'>): readonly Json[] {
  const count = messages.findIndex((message) => api.isFromUser(message) || api.isFromModel(message));
  return messages.slice(0, count < 0 ? messages.length : count);
}
