import type { Evidence } from '../../base/model/evidence.ts';
import type { Json } from '../../base/model/json.ts';
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
    output_messages: printJson(reply.output_messages ?? [{ role: 'assistant', content: reply.output }], '  '),
  };
}
