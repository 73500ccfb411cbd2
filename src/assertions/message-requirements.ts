import type { Json, JsonObject } from '../model/json.ts';
import type { Message } from '../model/message.ts';
import { printJson } from '../model/print-json.ts';
import type { RequiredCall, ReplyRequirements } from '../model/reply-requirements.ts';
import { comparableCall, expectedToolCalls } from './evaluators/match-tool-calls.ts';
import { givenContent } from './message-content.ts';

/** A reply that equals the expected messages. Structured content is answered as JSON. */
export function messageRequirements(expected_messages: readonly Message[]): ReplyRequirements {
  const messages = expected_messages.filter(({ role }) => role === 'assistant');
  const contents = messages.map(givenContent).filter((content) => content !== undefined);
  const calls = expectedToolCalls(messages).map(toCall);
  const last = contents.at(-1);
  return {
    about: calls.length === 0 ? ['output'] : ['output', 'tools'],
    output: typeof last === 'string' ? last : undefined,
    rule: typeof last === 'string' ? { type: 'literal', text: last, at: 'whole' } : undefined,
    json: last === undefined || typeof last === 'string' ? undefined : { value: last },
    said: contents.length > 1 ? contents.slice(0, -1).map(textOf) : undefined,
    calls,
    ...(calls.length === 0 ? {} : exactly(calls.map(({ tool }) => tool))),
  };
}

function exactly(tools_used: readonly string[]): Pick<ReplyRequirements, 'tools_used' | 'call_rule'> {
  return { tools_used, call_rule: { sequence: tools_used } };
}

function textOf(content: Json): string {
  return typeof content === 'string' ? content : printJson(content);
}

function toCall(expected: JsonObject): RequiredCall {
  const call = comparableCall(expected);
  return { ...call, tool: String(call.tool), isExact: call.input !== undefined };
}
