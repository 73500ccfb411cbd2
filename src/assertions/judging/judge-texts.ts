import type { Evidence } from '../../model/evidence.ts';
import { printJson } from '../../model/print-json.ts';
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

export type JudgeTexts = Readonly<Record<Variable, string>>;

/** What a model that judges can be shown: what a script that judges gets, each as text, with the keys and values of users as they are. */
export function judgeTexts(evidence: Evidence): JudgeTexts {
  const { input_messages, expected_messages, reply } = evidence;
  const { question, expected_outcome, reference_answer, candidate_answer } = judgedTexts(evidence);
  return {
    question,
    expected_outcome,
    reference_answer,
    candidate_answer,
    input_messages: printJson(input_messages, '  '),
    expected_messages: printJson(expected_messages, '  '),
    output_messages: printJson(reply.output_messages ?? [{ role: 'assistant', content: reply.output }], '  '),
  };
}
