import { anyProviderUsage } from '../provider-usage.ts';
import { contentText } from '../../base/model/content-text.ts';
import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { ROLES, type Message } from '../../base/model/message.ts';
import type { Reply, TokenUsage, TraceGap } from '../../base/model/reply.ts';
import { given } from '../../base/schema/refine.ts';
import { describe } from '../../base/schema/values.ts';
import { callsInMessages } from './message-calls.ts';
import { describeNoAnswer } from './no-answer.ts';
import { presentValue } from './present-value.ts';
import { readMessages } from './read-tools.ts';
import { MISSING, readTrace } from './read-trace.ts';
import { readAmount, readTokenUsage } from './read-usage.ts';
import { ReplyProblem } from './reply-problem.ts';

/**
 * Turns anything an agent returned into one shape: a text is the output, the output may be in `text` or in the
 * messages, and tools may be reported in any of three ways. What cannot be read is a problem that says what came
 * and what was expected. `unreported` is why tools are unknown if a reply of this agent does not report them; a
 * text never reports any.
 */
export function readReply(
  value: Json | undefined,
  unreported: TraceGap = MISSING,
): { readonly reply: Reply } | { readonly problem: string } {
  if (typeof value === 'string') return { reply: { output: value, trace_gap: MISSING } };
  try {
    return { reply: readObject(value, unreported) };
  } catch (error) {
    if (error instanceof ReplyProblem) return { problem: error.message };
    throw error;
  }
}

function readObject(returned: Json | undefined, unreported: TraceGap): Reply {
  if (returned === undefined) throw new ReplyProblem(`the agent returned nothing, ${WANTED}`);
  if (!isJsonObject(returned)) throw new ReplyProblem(`the agent returned ${describe(returned)}, ${WANTED}`);
  const value = withOutputMessages(returned);
  const messages = readMessages(presentValue(value, 'output_messages'));
  const output = readOutput(value, messages);
  const { tools_used, tool_calls, trace_gap } = readTrace(value, messages, unreported);
  return {
    output,
    tools_used,
    tool_calls,
    trace_gap,
    memory: readMemory(presentValue(value, 'memory')),
    output_messages: messages,
    token_usage:
      readTokenUsage(presentValue(value, 'token_usage')) ?? providerUsage(presentValue(value, 'usage')),
    cost_usd: readAmount(presentValue(value, 'cost_usd'), 'cost_usd'),
    duration_ms: readAmount(presentValue(value, 'duration_ms'), 'duration_ms'),
    models: readModel(ownValue(value, 'model')),
  };
}

/** Programs written for AgentV 4 and newer report their messages as `output`. */
function withOutputMessages(reply: JsonObject): JsonObject {
  const messages = ownValue(reply, 'output');
  const isMessage = (item: Json): boolean =>
    isJsonObject(item) &&
    ['content', 'tool_calls'].some((key) => given(item, key)) &&
    (ROLES as readonly Json[]).includes(item['role']!);
  if (!isJsonList(messages) || messages.length === 0 || !messages.every(isMessage)) return reply;
  const { output: _messages, ...others } = reply;
  return { output_messages: messages, ...others };
}

/** `usage` is the providers' name: what else it may be is not ours. */
function providerUsage(usage: Json | undefined): TokenUsage | undefined {
  return isJsonObject(usage) ? anyProviderUsage(usage) : undefined;
}

function readModel(model: Json | undefined): readonly string[] | undefined {
  return typeof model === 'string' && model !== '' ? [model] : undefined;
}

const WANTED = 'but a reply is an object with `output`, or a string';

function readOutput(reply: JsonObject, messages: readonly Message[] | undefined): string {
  for (const key of ['output', 'text']) {
    const text = key === 'output' ? ownValue(reply, key) : presentValue(reply, key);
    if (typeof text === 'string') return text;
    if (text !== undefined) throw new ReplyProblem(`\`${key}\` must be text, but is ${describe(text)}`);
  }
  if (messages === undefined) throw new ReplyProblem(`the agent's reply ${describeNoAnswer(reply)}`);
  const last = messages.findLast(({ role }) => role === 'assistant');
  if (last === undefined) throw new ReplyProblem('`output_messages` has no message of the assistant');
  const content = presentValue(last, 'content');
  if (content !== undefined) return contentText(content, 'included');
  const { calls, unread } = callsInMessages([last]);
  if (calls.length > 0 || unread !== undefined) return '';
  throw new ReplyProblem('the last message of the assistant in `output_messages` has no `content`');
}

function readMemory(memory: Json | undefined): JsonObject | undefined {
  if (memory === undefined || isJsonObject(memory)) return memory;
  throw new ReplyProblem(`\`memory\` must be an object, but is ${describe(memory)}`);
}
