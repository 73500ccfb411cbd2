import { counterExamples } from '../base/match/matchers/counter-examples.ts';
import { firstMatcher } from '../base/match/matchers/read-matcher.ts';
import { sampleValues } from '../base/match/matchers/sample-values.ts';
import type { Json, JsonObject } from '../base/model/json.ts';
import type { Message } from '../base/model/message.ts';
import { printJson } from '../base/model/print-json.ts';
import type { MatcherBreak, RequiredCall, ReplyRequirements } from '../base/model/reply-requirements.ts';
import { callBreaks, requiredInput } from './required-input.ts';
import { comparableCall, expectedToolCalls } from './evaluators/match-tool-calls.ts';
import { givenContent } from './message-content.ts';

/** A reply that equals the expected messages. Structured content is answered as JSON. */
export function messageRequirements(expected_messages: readonly Message[]): ReplyRequirements {
  const messages = expected_messages.filter(({ role }) => role === 'assistant');
  const contents = messages.map(givenContent).filter((content) => content !== undefined);
  const calls = expectedToolCalls(messages)?.map(toCall);
  return {
    about: calls === undefined ? ['output'] : ['output', 'tools'],
    ...answerRequirements(contents.at(-1)),
    said: contents.length > 1 ? contents.slice(0, -1).map(textOf) : undefined,
    calls: calls ?? [],
    ...(calls === undefined ? {} : exactly(calls.map(({ tool }) => tool))),
    matcher_breaks: [...answerBreaks(contents.at(-1)), ...(calls ?? []).flatMap(callBreaks)],
  };
}

/** The last content is the output; with matchers, a value that matches. */
function answerRequirements(
  content: Json | undefined,
): Pick<ReplyRequirements, 'output' | 'rule' | 'json' | 'texts'> {
  if (content === undefined) return {};
  if (typeof content === 'string')
    return { output: content, rule: { type: 'literal', text: content, at: 'whole' } };
  const values = sampleValues(content);
  const [first] = values;
  if (first === undefined) return {};
  // A text that matches is the output itself, and not a JSON string.
  if (typeof first === 'string') return { texts: [{ text: first }] };
  return { json: { value: first, others: values.slice(1, MOST_OTHERS) } };
}

const MOST_OTHERS = 4;

function answerBreaks(content: Json | undefined): readonly MatcherBreak[] {
  if (content === undefined || firstMatcher(content) === undefined) return [];
  return counterExamples(content, sampleValues(content)[0]).flatMap(({ what, value }) =>
    // An answer is never absent.
    value === undefined ? [] : [{ what, output: textOf(value) }],
  );
}

function exactly(tools_used: readonly string[]): Pick<ReplyRequirements, 'tools_used' | 'call_rule'> {
  return { tools_used, call_rule: { sequence: tools_used } };
}

function textOf(content: Json): string {
  return typeof content === 'string' ? content : printJson(content);
}

function toCall(expected: JsonObject): RequiredCall {
  const { tool, input, output } = comparableCall(expected);
  return {
    tool: String(tool),
    ...requiredInput(input),
    ...(output === undefined ? {} : { output: sampleValues(output)[0] }),
    isExact: input !== undefined,
  };
}
