import { byType } from '../../base/schema/by-type.ts';
import { defineConfigurable } from '../contract/evaluator-kind.ts';
import { list } from '../../base/schema/list.ts';
import { complete, object } from '../../base/schema/object.ts';
import { jsonObject, number, text } from '../../base/schema/values.ts';
import { judgeEvidence } from '../judging/judge-evidence.ts';
import { VARIABLES } from '../judging/judge-texts.ts';
import { judgingNeeds } from '../judging/judging-needs.ts';
import { preflightJudging } from '../judging/preflight-judging.ts';
import { promptSchema } from '../judging/prompt-template.ts';
import { promptFile } from '../judging/resolve-prompt.ts';
import { rubrics, SHARE_FIELD } from '../judging/rubric-schema.ts';

const promptScript = complete(
  object(
    {
      script: {
        schema: list(text(), { nonEmpty: true }),
        doc: 'A program that prints the prompt.',
        missing: 'missing_script',
      },
      config: { schema: jsonObject(), doc: 'Passed to the program.' },
    },
    { what: 'a prompt script' },
  ),
);

export const judgePrompt = promptSchema({
  label: 'text or path of a file',
  own: VARIABLES,
  isFile: (prompt) => promptFile(prompt) !== undefined,
});

export const llmJudge = defineConfigurable({
  kind: 'llm_judge',
  doc: 'A model judges the answer.',
  example: {},
  reads: [],
  fields: {
    prompt: {
      schema: byType({ string: judgePrompt, object: promptScript }),
      verbatim: 'all',
      doc: 'The prompt, a file with it, or a program that prints it. Default: one that judges `expected_outcome`.',
    },
    expected_outcome: {
      schema: text({ nonEmpty: true }),
      doc: 'What is expected, instead of the `expected_outcome` of the test.',
    },
    rubrics: { schema: rubrics, doc: 'What to judge, one by one.' },
    share: SHARE_FIELD,
    target: {
      schema: text({ nonEmpty: true }),
      doc: 'The judge to ask: a target of the config. Default: the `judge` of the config.',
    },
    samples: {
      schema: number({ min: 1, integer: true }),
      doc: 'How often to ask; the majority counts. Default: 1.',
    },
  },
  evaluate: judgeEvidence,
  preflight: preflightJudging,
  needs: judgingNeeds,
});
