import type { AssertionKinds } from '../../../checks/contract/assertion-kinds.ts';
import { foreignFields, unsupportedFields } from '../../../base/schema/foreign-fields.ts';
import { list } from '../../../base/schema/list.ts';
import { jsonObject, oneOf } from '../../../base/schema/values.ts';
import { caseOptions, runOverrides } from './execution-fields.ts';
import { inputFiles } from './suite-fields.ts';
import { turnSchema } from './turns.ts';

/** What newer AgentV files add to a case. */
export function agentvCaseFields(kinds: AssertionKinds) {
  return foreignFields({
    input_files: { schema: inputFiles, doc: 'AgentV: files before an `input` that is a string.' },
    mode: { schema: oneOf(['conversation']), doc: 'AgentV: `conversation`, for a case with `turns`.' },
    turns: {
      schema: list(turnSchema(kinds), { nonEmpty: true, label: 'list of turns' }),
      doc: 'AgentV: the steps of a conversation; `input` comes before the first.',
    },
    aggregation: {
      schema: oneOf(['mean', 'min'], {
        hintFor: (word) => (word === 'max' ? 'here every step must pass' : undefined),
      }),
      doc: 'AgentV: without effect, every step must pass.',
    },
    on_turn_failure: {
      schema: oneOf(['continue', 'stop']),
      doc: 'AgentV: without effect, the other steps run, and the test fails.',
    },
    run: { schema: runOverrides, doc: 'AgentV: how to run the case.' },
    options: { schema: caseOptions, doc: 'AgentV: how to run the case.' },
    governance: { schema: jsonObject(), doc: 'AgentV: kept as `metadata.governance`.' },
    ...unsupportedFields({
      depends_on: 'make one test of several `steps`',
      on_dependency_failure: 'make one test of several `steps`',
      window_size: 'the agent gets the whole conversation; remove it',
      provider_output: 'define a target of kind `mock` with the reply',
    }),
  } as const);
}
