import type { Evidence } from '../model/evidence.ts';
import { isJsonObject, ownValue, type Json, type JsonObject } from '../model/json.ts';
import type { Message } from '../model/message.ts';
import { printJson } from '../model/print-json.ts';
import { givenContent } from './message-content.ts';
import { summarizeTrace } from './trace-summary.ts';

/**
 * What a script that judges gets on stdin. Its texts are always texts and its lists always lists, so that a script
 * needs no case for their absence; only `output_messages`, `trace_summary` and `config` may be null.
 */
export function judgePayload(evidence: Evidence, config: Json | undefined): JsonObject {
  const { test, input_messages, expected_messages, reply, memoryAfter } = evidence;
  const files = input_messages.flatMap(filesOf);
  return {
    question: textOf(input_messages.find(({ role }) => role === 'user')),
    expected_outcome: test.expected_outcome ?? '',
    expected_messages,
    reference_answer: textOf(expected_messages.at(-1)),
    candidate_answer: candidateAnswer(evidence),
    output_messages: reply.output_messages ?? null,
    input_messages,
    input_files: files.filter((file) => !isGuideline(file)),
    guideline_files: files.filter(isGuideline),
    memory: memoryAfter,
    trace_summary: summarizeTrace(evidence) ?? null,
    config: config ?? null,
  };
}

/** Text as it is; structured content, or else the tool calls, as JSON; nothing is the empty text. */
function textOf(message: Message | undefined): string {
  const said =
    givenContent(message) ??
    (message === undefined ? undefined : (ownValue(message, 'tool_calls') ?? undefined));
  if (said === undefined) return '';
  return typeof said === 'string' ? said : printJson(said, '  ');
}

/** An agent may give its answer as `output` beside messages that only call tools. */
function candidateAnswer({ reply: { output, output_messages } }: Evidence): string {
  const last = output_messages?.findLast(({ role }) => role === 'assistant');
  if (last === undefined) return output;
  return givenContent(last) === undefined && output !== '' ? output : textOf(last);
}

/** The paths of a message's file parts. */
function filesOf(message: Message): readonly string[] {
  const content = givenContent(message);
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: Json) => {
    if (!isJsonObject(part) || ownValue(part, 'type') !== 'file') return [];
    const path = ownValue(part, 'value');
    return typeof path === 'string' ? [path] : [];
  });
}

/** By the names such files have where this format comes from: `*.instructions.md`, `*.prompt.md`, and their folders. */
function isGuideline(path: string): boolean {
  return /\.(?:instructions|prompt)\.md$|(?:^|[\\/])(?:instructions|prompts)[\\/]/.test(path);
}
