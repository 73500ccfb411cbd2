import { isJsonList, isJsonObject, setOwn, type Json, type JsonObject } from '../base/model/json.ts';
import { toolCallField } from '../base/model/tool-call-fields.ts';
import { closest } from '../base/schema/did-you-mean.ts';
import { describe } from '../base/schema/values.ts';
import { AgentSetupError } from './agent-setup-error.ts';
import { AgentError, type RawReply } from './contract.ts';
import type { HttpResponse } from './http-exchange.ts';
import { readJsonResponse, readWholeResponse } from './http-response.ts';
import { EVERY_ITEM, parseReplyPath, valueInReply, type ReplyPath } from '../base/match/reply-path.ts';
import { describeNoAnswer, isOnlyAnError } from '../evidence/reply/no-answer.ts';
import { doubtError } from '../evidence/reply/reply-warning.ts';
import { REPLY_FIELDS } from '../evidence/reply/reply-fields.ts';
import { findUnreadCall, unreadForm, type UnreadCall } from '../evidence/reply/unread-call.ts';

/** `memory` is what the agent was sent. */
export type ReplyReader = (response: HttpResponse, memory: JsonObject) => RawReply;

/** Without places the response is the reply: JSON as it is, any other text as the output. */
export function compileReply(
  places: Readonly<Record<string, string>> | undefined,
  agentName: string,
): ReplyReader {
  if (places === undefined) return readWholeResponse;
  const fields = Object.entries(places).map(([field, path]) => ({
    field,
    path,
    place: readPlace(field, path, agentName),
  }));
  if (fields.every(({ field }) => MEMORY_FIELD.test(field)))
    return (response, memory) =>
      withMemory(readWholeResponse(response), pick(readJsonResponse(response), fields, memory));
  if (!fields.some(({ field }) => field === 'output' || field === 'output_messages')) {
    throw new AgentSetupError(`${agentName}: \`reply\` does not say where the output is`, {
      hint: 'write `reply: { output: path.to.it }`',
    });
  }
  return (response, memory) => {
    const body = readJsonResponse(response);
    const reply = pick(body, fields, memory);
    // What is mapped leaves out an error that came with it.
    return { reply, printed: '', warning: doubtError(body), unmapped: findUnmapped(reply, body) };
  };
}

/** A mapping that finds no calls must not hide those that the response has at another place. */
function findUnmapped(reply: JsonObject, body: Json): UnreadCall | undefined {
  return saysNoCalls(reply) ? findCall(sinceLastInput(body)) : undefined;
}

/** Where no tools are mapped, or nothing is found at their place, they are unknown already. */
function saysNoCalls({ tools_used, tool_calls, output_messages }: JsonObject): boolean {
  const lists = [tools_used, tool_calls].filter((list) => list !== undefined && list !== null);
  if (lists.length > 0) return lists.every((list) => isJsonList(list) && list.length === 0);
  return output_messages !== undefined && findCall(output_messages) === undefined;
}

function findCall(value: Json): UnreadCall | undefined {
  return findUnreadCall(value, { at: '', known: new Set() });
}

/** A response may repeat the conversation: what stands before its last input was made in earlier steps. */
function sinceLastInput(value: Json): Json {
  if (isJsonList(value)) {
    const last = value.findLastIndex((item) => isJsonObject(item) && item['role'] === 'user');
    return value.slice(last + 1).map(sinceLastInput);
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, sinceLastInput(member)]));
}

/** The response is the reply itself, and only what is carried on is named. */
function withMemory(read: RawReply, picked: Json): RawReply {
  const { reply } = read;
  return isJsonObject(reply) && isJsonObject(picked) ? { ...read, reply: { ...reply, ...picked } } : read;
}

interface Field {
  readonly field: string;
  readonly path: string;
  readonly place: ReplyPath;
}

const FIELDS: readonly string[] = REPLY_FIELDS;

/** `memory.thread_id`: one value of the memory, for what the server made and wants to see again. */
const MEMORY_FIELD = /^memory\.([^.[\]]+)$/;

function readPlace(field: string, path: string, agentName: string): ReplyPath {
  if (!FIELDS.includes(field) && !MEMORY_FIELD.test(field)) {
    const near = closest(field, FIELDS);
    const hint =
      near === undefined
        ? `use one of ${FIELDS.map((each) => `\`${each}\``).join(', ')}`
        : `did you mean \`${near}\`?`;
    throw new AgentSetupError(`${agentName}: \`reply\` has an unknown field \`${field}\``, { hint });
  }
  const place = parseReplyPath(path);
  if (place !== undefined) return place;
  throw new AgentSetupError(`${agentName}: \`reply.${field}\` is not a path: ${path}`, {
    hint: 'write it as choices[0].message.content',
  });
}

function pick(body: Json, fields: readonly Field[], memory: JsonObject): JsonObject {
  const reply: Record<string, Json> = {};
  if (fields.some(({ field }) => MEMORY_FIELD.test(field))) reply['memory'] = { ...memory };
  for (const { field, path, place } of fields) {
    const value = TOOL_FIELDS.has(field) ? pickTools(body, place) : valueInReply(body, place);
    const remembered = MEMORY_FIELD.exec(field)?.[1];
    if (remembered !== undefined) {
      if (value !== undefined) setOwn(reply['memory'] as Record<string, Json>, remembered, value);
    } else if (value !== undefined) setOwn(reply, field, value);
    else if (field === 'output')
      throw new AgentError(
        'contract',
        `the response has nothing at ${path}, where \`output\` should be: ${excerpt(body)}`,
      );
  }
  return reply;
}

const TOOL_FIELDS: ReadonlySet<string> = new Set(['tools_used', 'tool_calls']);

/** `calls[*].name` of calls without a name finds nothing, which is not the same as no calls. */
function pickTools(body: Json, place: ReplyPath): Json | undefined {
  const star = place.indexOf(EVERY_ITEM);
  const list = star === -1 ? undefined : valueInReply(body, place.slice(0, star));
  if (Array.isArray(list) && list.length > 0) {
    const items = list as readonly Json[];
    const skipped = items.filter((item) => valueInReply(item, place.slice(star + 1)) === undefined);
    if (skipped.length === items.length || skipped.some(isCall)) return undefined;
  }
  return valueInReply(body, place);
}

function isCall(item: Json): boolean {
  return unreadForm(item) !== undefined || (isJsonObject(item) && toolCallField(item, 'tool') !== undefined);
}

function excerpt(body: Json): string {
  if (!isJsonObject(body)) return `it is ${describe(body)}`;
  if (isOnlyAnError(body)) return `it ${describeNoAnswer(body)}`;
  return `it has ${Object.keys(body).slice(0, 10).join(', ') || 'no keys'}`;
}
