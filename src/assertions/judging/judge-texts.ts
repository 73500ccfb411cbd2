import type { Evidence } from '../../model/evidence.ts';
import { printJson } from '../../model/print-json.ts';
import { judgePayload } from '../judge-payload.ts';

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
  const payload = judgePayload(evidence, undefined);
  const { output } = evidence.reply;
  return {
    question: payload['question'] as string,
    expected_outcome: payload['expected_outcome'] as string,
    reference_answer: payload['reference_answer'] as string,
    candidate_answer: payload['candidate_answer'] as string,
    input_messages: printJson(payload['input_messages'], '  '),
    expected_messages: printJson(payload['expected_messages'], '  '),
    output_messages: printJson(payload['output_messages'] ?? [{ role: 'assistant', content: output }], '  '),
  };
}
