import { text } from '../../base/schema/values.ts';
import type { Weakness } from '../contract/assertion-kind.ts';
import { defineEvaluator } from '../contract/evaluator-kind.ts';
import { repeatWeaknesses } from '../repeat-weaknesses.ts';
import { judgePrompt } from './llm-judge.ts';
import { judgeEvidence } from '../judging/judge-evidence.ts';
import { judgingNeeds } from '../judging/judging-needs.ts';
import { preflightJudging } from '../judging/preflight-judging.ts';
import { rubrics, SHARE_FIELD, type AuthoredRubric } from '../judging/rubric-schema.ts';

export const rubric = defineEvaluator({
  kind: 'rubric',
  doc: 'A judge answers each rubric. The score is the weighted share that passes.',
  example: { rubrics: ['Names the price'] },
  reads: [],
  inAgentv: { share: true },
  fields: {
    rubrics: { schema: rubrics, doc: 'What to judge.', missing: 'missing_rubrics' },
    share: SHARE_FIELD,
    prompt: {
      schema: judgePrompt,
      doc: 'The prompt, or a file with it; the rubrics are added. Default: one that shows the question and the answer.',
      verbatim: 'all',
    },
    target: {
      schema: text({ nonEmpty: true }),
      doc: 'The judge to ask: a target of the config. Default: the `judge` of the config.',
    },
  },
  evaluate: judgeEvidence,
  preflight: preflightJudging,
  needs: judgingNeeds,
  weaknesses: ({ rubrics: items }) => rubricWeaknesses(items),
});

/** A duplicate rubric, or none that counts. */
function rubricWeaknesses(items: readonly AuthoredRubric[]): readonly Weakness[] {
  const said = items.flatMap((item) => (typeof item === 'string' ? item : (item.expected_outcome ?? [])));
  const isIdle = items.every((item) => typeof item !== 'string' && item.weight === 0);
  return [
    ...repeatWeaknesses(said, 'rubric'),
    ...(isIdle
      ? [
          {
            code: 'never_holds',
            message: 'all its weights are 0: its score is 0',
            hint: 'give one of them a weight',
          },
        ]
      : []),
  ];
}
