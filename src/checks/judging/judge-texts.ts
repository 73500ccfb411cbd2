import type { Evidence } from '../../base/model/evidence.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import type { Message } from '../../base/model/message.ts';
import { printJson } from '../../base/model/print-json.ts';
import { judgedTexts } from '../judge-payload.ts';

export const VARIABLES = [
  'question',
  'expected_outcome',
  'reference_answer',
  'candidate_answer',
  'input_messages',
  'expected_messages',
  'output_messages',
] as const;
export type Variable = (typeof VARIABLES)[number];

/** The names that newer AgentV files use. */
export const OTHER_NAMES: Readonly<Record<string, Variable | 'rubrics'>> = {
  input: 'question',
  output: 'candidate_answer',
  expected_output: 'reference_answer',
  criteria: 'expected_outcome',
  rubric: 'rubrics',
  rubrics: 'rubrics',
};

export type JudgeTexts = Readonly<Record<Variable | 'rubrics', string>>;

/**
 * What a judge model can see: the input of a judge script, each part as text, with the users' keys and values
 * unchanged.
 */
export function judgeTexts(evidence: Evidence, rubrics?: Json): JudgeTexts {
  const { input_messages, expected_messages, reply } = evidence;
  const { question, expected_outcome, reference_answer, candidate_answer } = judgedTexts(evidence);
  return {
    question,
    expected_outcome,
    reference_answer,
    candidate_answer,
    input_messages: printJson(input_messages, '  '),
    expected_messages: printJson(expected_messages, '  '),
    rubrics: rubrics === undefined ? expected_outcome : printJson(rubrics, '  '),
    output_messages: printJson(
      reply.output_messages?.map(withoutMeasuredTimes) ?? [{ role: 'assistant', content: reply.output }],
      '  ',
    ),
  };
}

/** What Assay measured between two model calls differs each time: the same answer must give the same question. */
function withoutMeasuredTimes(message: Message): JsonObject {
  const { tool_calls: calls } = message;
  if (!Array.isArray(calls)) return message;
  return { ...message, tool_calls: calls.map(withoutMeasuredTime) };
}

function withoutMeasuredTime(call: Json): Json {
  if (!isJsonObject(call) || call['duration_bound'] === undefined) return call;
  return Object.fromEntries(
    Object.entries(call).filter(([key]) => key !== 'duration_ms' && key !== 'duration_bound'),
  );
}
