import type { AssertionKinds } from '../../../checks/contract/assertion-kinds.ts';
import { foreignFields, unsupported, unsupportedFields } from '../../../base/schema/foreign-fields.ts';
import { list } from '../../../base/schema/list.ts';
import { object, type Fields } from '../../../base/schema/object.ts';
import { byType } from '../../../base/schema/by-type.ts';
import type { Schema } from '../../../base/schema/schema.ts';
import { anyJson, jsonObject, number, text } from '../../../base/schema/values.ts';
import { inputShorthand } from '../messages.ts';
import { VARS_FIELD } from '../templates/template-fields.ts';
import { caseOptions, evaluateOptions } from './execution-fields.ts';
import { repeatCount } from './repeats.ts';

export const inputFiles = list(text({ nonEmpty: true }), { nonEmpty: true });

/** What newer AgentV files set for all of their cases. */
export function agentvSuiteFields({ evaluatorList }: AssertionKinds) {
  return foreignFields({
    name: { schema: text({ nonEmpty: true }), doc: 'AgentV: the same as `dataset`.' },
    assert: {
      schema: evaluatorList,
      doc: 'AgentV: evaluators that are added to those of every case.',
      aliases: { assertions: evaluatorList },
      twice: 'error',
    },
    input: { schema: inputShorthand, doc: 'AgentV: messages that come before those of every case.' },
    input_files: { schema: inputFiles, doc: 'AgentV: files before the input of cases that name none.' },
    metadata: { schema: jsonObject(), doc: 'AgentV: data for the `metadata` of every case.' },
    governance: { schema: jsonObject(), doc: 'AgentV: kept as `metadata.governance` of every case.' },
    prompts: {
      schema: anyJson('strings or messages'),
      doc: 'AgentV: the input of every case, with its `vars`.',
    },
    default_test: {
      schema: defaultTest(evaluatorList),
      doc: 'AgentV: `vars`, `assert` and `threshold` of every case.',
    },
    defaults: { schema: providerDefaults, doc: 'AgentV: `provider` and `grader` are not supported.' },
    evaluate_options: { schema: evaluateOptions, doc: 'AgentV: how to run the cases.' },
    repeat: { schema: repeatCount, doc: 'AgentV: how often to run each case; one passed attempt is enough.' },
    ...KEPT,
    ...unsupportedFields({
      extensions: 'run what prepares and cleans up before and after `assay run`',
      preprocessors: 'convert the files yourself, and name the converted ones',
      on_run_complete: 'run it after `assay run`',
      nunjucks_filters: 'write the values as they must be',
      imports: 'give the files to `assay run`',
      scenarios: 'write the tests one by one, or one test with `each`',
    }),
  } as const);
}

/** Other keys are values that YAML anchors name. */
const providerDefaults: Schema<unknown> = byType({
  object: object(
    unsupportedFields({
      provider: 'name the target of the file: `target`',
      grader: 'name the judge in the config: `judge`',
    }),
    { what: '`defaults`', unknown: 'config' },
  ),
  string: unsupported('copy the fields of the file here'),
});

function defaultTest(evaluatorList: AssertionKinds['evaluatorList']) {
  const fields = object(
    {
      vars: VARS_FIELD,
      assert: { schema: evaluatorList, doc: 'Evaluators that are added to those of every case.' },
      threshold: { schema: number({ min: 0, max: 1 }), doc: 'The threshold of every case.' },
      options: { schema: caseOptions, doc: 'How to run every case.' },
    },
    { what: '`default_test`' },
  );
  return byType({ object: fields, string: unsupported('copy the fields of the file here') });
}

/** What describes a file and changes no test. */
const KEPT = {
  version: { schema: anyJson(), doc: 'AgentV: for people.' },
  author: { schema: anyJson(), doc: 'AgentV: for people.' },
  license: { schema: anyJson(), doc: 'AgentV: for people.' },
  requires: { schema: anyJson(), doc: 'AgentV: for people.' },
  category: { schema: anyJson(), doc: 'AgentV: for people.' },
} as const satisfies Fields;
