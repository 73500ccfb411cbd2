import { conversationText, filesNamedIn, messageText } from '../base/model/content-text.ts';
import type { Evidence } from '../base/model/evidence.ts';
import type { Json, JsonObject } from '../base/model/json.ts';
import type { EvaluationTools, NamedFile } from './contract/evaluation-tools.ts';
import { givenContent } from './message-content.ts';
import { plainMessage } from './plain-message.ts';
import { summarizeTrace } from './trace-summary.ts';

/**
 * What a script that judges gets on stdin. Its texts are always strings and its lists always lists, so that a
 * script needs no case for missing ones; only `output_messages`, `trace_summary` and `config` may be null.
 */
export function judgePayload(
  evidence: Evidence,
  config: Json | undefined,
  tools: Pick<EvaluationTools, 'findFile'>,
): JsonObject {
  const { input_messages, expected_messages, reply, memoryAfter } = evidence;
  const paths = new Set(input_messages.flatMap(filesNamedIn));
  const files = [...paths].map((path) => tools.findFile(path));
  return {
    ...judgedTexts(evidence),
    expected_messages: expected_messages.map(plainMessage),
    output_messages: reply.output_messages?.map(plainMessage) ?? null,
    input_messages: input_messages.map(plainMessage),
    input_files: files.filter((file) => !isGuideline(file)).map(({ path }) => path),
    guideline_files: files.filter(isGuideline).map(({ path }) => path),
    memory: memoryAfter,
    trace_summary: summarizeTrace(evidence) ?? null,
    config: config ?? null,
  };
}

export interface JudgedTexts extends JsonObject {
  readonly question: string;
  readonly expected_outcome: string;
  readonly reference_answer: string;
  readonly candidate_answer: string;
}

/** The input, the expectation and the answer, as text for judges. */
export function judgedTexts(evidence: Evidence): JudgedTexts {
  const { test, input_messages, expected_messages } = evidence;
  return {
    question: conversationText(input_messages, 'included'),
    expected_outcome: test.expected_outcome ?? '',
    reference_answer: messageText(expected_messages.at(-1), 'included'),
    candidate_answer: candidateAnswer(evidence),
  };
}

/** An agent may give its answer as `output` beside messages that only call tools. */
function candidateAnswer({ reply: { output, output_messages } }: Evidence): string {
  const last = output_messages?.findLast(({ role }) => role === 'assistant');
  if (last === undefined) return output;
  return givenContent(last) === undefined && output !== '' ? output : messageText(last, 'included');
}

/**
 * By the names of such files in the tool that this format comes from: `*.instructions.md`, `*.prompt.md`, and their
 * folders.
 */
function isGuideline({ inProject }: NamedFile): boolean {
  return /\.(?:instructions|prompt)\.md$|(?:^|[\\/])(?:instructions|prompts)[\\/]/.test(inProject);
}
