import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { ROLES, type Message } from '../../base/model/message.ts';
import type { RecordedToolCall } from '../../base/model/reply.ts';
import { toolCallField } from '../../base/model/tool-call-fields.ts';
import { describe } from '../../base/schema/values.ts';
import { ReplyProblem } from './reply-problem.ts';
import { readAmount } from './read-usage.ts';

/** `tools_used`: names, objects with a name, or one name. */
export function readToolsUsed(value: Json | undefined): readonly RecordedToolCall[] | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return [readTool(value, 'tools_used')];
  if (!Array.isArray(value)) {
    throw new ReplyProblem(`\`tools_used\` must be a list of tool names, but is ${describe(value)}`);
  }
  return value.map((tool: Json, index) => readTool(tool, `tools_used[${index}]`));
}

export function readMessages(value: Json | undefined): readonly Message[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) {
    throw new ReplyProblem(`\`output_messages\` must be a list of messages, but is ${describe(value)}`);
  }
  for (const [index, message] of value.entries()) checkMessage(message, `output_messages[${index}]`);
  return value as readonly Message[];
}

/** One tool or one call: a name, or an object such as `{ tool, input?, output?, id?, duration_ms?, status? }`. */
export function readTool(value: Json, place: string): RecordedToolCall {
  if (typeof value === 'string') return { tool: checkName(value, place) };
  if (!isJsonObject(value)) {
    throw new ReplyProblem(
      `\`${place}\` must be a tool's name or an object that has it, but is ${describe(value)}`,
    );
  }
  return { tool: readName(value, place), ...readDetails(value, place) };
}

function readName(call: JsonObject, place: string): string {
  const found = toolCallField(call, 'tool');
  if (found !== undefined) {
    const { key, value: name } = found;
    if (typeof name === 'string') return checkName(name, `${place}.${key}`);
    throw new ReplyProblem(`\`${place}.${key}\` must be a tool's name, but is ${describe(name)}`);
  }
  const keys = Object.keys(call).slice(0, 5).join(', ');
  throw new ReplyProblem(
    `\`${place}\` must name its tool (\`tool\`), but has ${keys === '' ? 'nothing' : `only ${keys}`}`,
  );
}

function checkName(name: string, place: string): string {
  if (name === '') throw new ReplyProblem(`\`${place}\` must be a tool's name, but is an empty string`);
  return name;
}

function readDetails(call: JsonObject, place: string): Omit<RecordedToolCall, 'tool'> {
  const details: { -readonly [Key in keyof RecordedToolCall]?: RecordedToolCall[Key] } = {};
  for (const key of ['input', 'output'] as const) {
    const found = toolCallField(call, key);
    if (found !== undefined) details[key] = found.value;
  }
  for (const key of ['id', 'status', 'agent', 'executed_by'] as const) {
    const text = ownValue(call, key) ?? undefined;
    if (typeof text === 'string') details[key] = text;
    else if (text !== undefined)
      throw new ReplyProblem(`\`${place}.${key}\` must be text, but is ${describe(text)}`);
  }
  const durationMs = readAmount(ownValue(call, 'duration_ms') ?? undefined, `${place}.duration_ms`);
  if (durationMs !== undefined) details.duration_ms = durationMs;
  const bound = ownValue(call, 'duration_bound');
  if (bound === 'alone' || bound === 'parallel') details.duration_bound = bound;
  return details;
}

function checkMessage(message: Json, place: string): void {
  if (!isJsonObject(message)) {
    throw new ReplyProblem(
      `\`${place}\` must be a message with \`role\` and \`content\`, but is ${describe(message)}`,
    );
  }
  const role = ownValue(message, 'role');
  if (ROLES.some((known) => known === role)) return;
  const found = role === undefined ? 'missing' : describe(role);
  throw new ReplyProblem(`\`${place}.role\` must be one of ${ROLES.join(', ')}, but is ${found}`);
}
