import { isJsonObject, ownValue, type Json, type JsonObject } from '../model/json.ts';
import type { Message } from '../model/message.ts';
import { printJson } from '../model/print-json.ts';
import type { RecordedToolCall, Reply } from '../model/reply.ts';
import { describe } from '../schema/values.ts';
import { ReplyProblem } from './reply-problem.ts';
import { readMessages, readToolCalls, readToolsUsed } from './read-tools.ts';
import { readAmount, readTokenUsage } from './read-usage.ts';

/**
 * Makes one shape of whatever an agent returned: a text is the output, the output may be in `text` or in the messages,
 * and tools may be told in any of three ways. What cannot be read is a problem that says what came and what was wanted.
 */
export function readReply(value: Json | undefined): { readonly reply: Reply } | { readonly problem: string } {
  if (typeof value === 'string') return { reply: { output: value } };
  try {
    return { reply: readObject(value) };
  } catch (error) {
    if (error instanceof ReplyProblem) return { problem: error.message };
    throw error;
  }
}

function readObject(value: Json | undefined): Reply {
  if (value === undefined) throw new ReplyProblem(`the agent returned nothing, ${WANTED}`);
  if (!isJsonObject(value)) throw new ReplyProblem(`the agent returned ${describe(value)}, ${WANTED}`);
  const messages = readMessages(present(value, 'output_messages'));
  const { tools_used, tool_calls } = readTools(value, messages);
  return {
    output: readOutput(value, messages),
    tools_used,
    tool_calls,
    memory: readMemory(present(value, 'memory')),
    output_messages: messages,
    token_usage: readTokenUsage(present(value, 'token_usage')),
    cost_usd: readAmount(present(value, 'cost_usd'), 'cost_usd'),
    duration_ms: readAmount(present(value, 'duration_ms'), 'duration_ms'),
  };
}

const WANTED = 'but a reply is an object with `output`, or a text';

/** Null is how many languages say that a field is not there. */
function present(object: JsonObject, key: string): Json | undefined {
  return ownValue(object, key) ?? undefined;
}

function readOutput(reply: JsonObject, messages: readonly Message[] | undefined): string {
  for (const key of ['output', 'text']) {
    const text = key === 'output' ? ownValue(reply, key) : present(reply, key);
    if (typeof text === 'string') return text;
    if (text !== undefined) throw new ReplyProblem(`\`${key}\` must be text, but is ${describe(text)}`);
  }
  const last = messages?.findLast(({ role }) => role === 'assistant');
  const content = last === undefined ? undefined : present(last, 'content');
  if (content === undefined) return '';
  return typeof content === 'string' ? content : printJson(content, '  ');
}

type Tools = Pick<Reply, 'tools_used' | 'tool_calls'>;

/** The trace is missing only when none of the three places it may stand in came. */
function readTools(reply: JsonObject, messages: readonly Message[] | undefined): Tools {
  const used = readToolsUsed(present(reply, 'tools_used'));
  const calls = readToolCalls(present(reply, 'tool_calls'), 'tool_calls');
  const inMessages = messages === undefined ? undefined : callsOf(messages);
  if (used === undefined) {
    const known = calls ?? inMessages;
    return known === undefined ? {} : { tools_used: namesOf(known), tool_calls: known };
  }
  const names = namesOf(used);
  if (calls !== undefined) return { tools_used: names, tool_calls: calls };
  const isSameTrace = inMessages !== undefined && printJson(namesOf(inMessages)) === printJson(names);
  return { tools_used: names, tool_calls: isSameTrace ? inMessages : used };
}

function callsOf(messages: readonly Message[]): readonly RecordedToolCall[] {
  return messages.flatMap((message, index) => {
    return readToolCalls(present(message, 'tool_calls'), `output_messages[${index}].tool_calls`) ?? [];
  });
}

function namesOf(calls: readonly RecordedToolCall[]): readonly string[] {
  return calls.map(({ tool }) => tool);
}

function readMemory(memory: Json | undefined): JsonObject | undefined {
  if (memory === undefined || isJsonObject(memory)) return memory;
  throw new ReplyProblem(`\`memory\` must be an object, but is ${describe(memory)}`);
}
