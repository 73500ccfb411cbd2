import type { Json, JsonObject } from '../../base/model/json.ts';
import type { Step } from '../../base/model/test.ts';
import type { AssertionKinds } from '../../checks/contract/assertion-kinds.ts';
import type { EvaluatorKind } from '../../checks/contract/evaluator-kind.ts';
import { list } from '../../base/schema/list.ts';
import { object } from '../../base/schema/object.ts';
import { NOWHERE, Reader } from '../../base/schema/reader.ts';
import { given, readingOf } from '../../base/schema/refine.ts';
import { jsonObject, number, oneOf, text } from '../../base/schema/values.ts';
import { quoteName } from '../../base/schema/did-you-mean.ts';
import { fieldOfClaim, hintForClaim, isClaimKey } from './claim-keys.ts';
import { agentvCaseFields } from './agentv/case-fields.ts';
import { EXECUTION_FIELDS } from './agentv/execution-fields.ts';
import { expectedMessages, expectedShorthand, inputMessages, inputShorthand } from './messages.ts';
import { SHARED_FIELDS } from './shared-fields.ts';
import { EVAL_TARGETS_FIELD } from './targets-field.ts';
import { TEMPLATE_FIELDS, WRONG_NAMES } from './templates/template-fields.ts';
import { checkFields, chooseChecks, createStep } from './step.ts';

/** Misspelling one of these would turn checks or faults off or decide otherwise, so a key that looks like one of them is an error. */
const CHECK_FIELDS = [
  'evaluators',
  'evaluator',
  'assert',
  'assertions',
  'rubrics',
  'expected_outcome',
  'expected_messages',
  'expected_output',
  'steps',
  'execution',
  'faults',
  'threshold',
  'limits',
  'repeats',
  'pass_at_least',
];

export const UNKNOWN_FIELDS = { unknown: 'warning', guarded: CHECK_FIELDS, needs: neededInput } as const;

/** A case without any input: a key that looks like it was meant for it. */
function neededInput(value: JsonObject): readonly string[] {
  const names = ['input', 'input_messages', 'steps', 'turns'];
  return names.some((name) => given(value, name)) ? [] : ['input', 'input_messages'];
}

export type EvalCaseSchema = ReturnType<typeof evalCaseSchema>;

export function evalCaseSchema(kinds: AssertionKinds) {
  const outcome = text({ nonEmpty: true });
  return object(
    {
      id: {
        schema: text({ nonEmpty: true, code: 'id' }),
        doc: 'Its name, unique in the file. With `each`, rows can give the names.',
        missing: 'id',
        optionalBeside: 'each',
      },
      expected_outcome: {
        schema: outcome,
        doc: 'The goal in words. Required if there is no evaluator.',
        aliases: { outcome, criteria: outcome },
      },
      ...messageFields,
      steps: {
        schema: list(evalStepSchema(kinds), { nonEmpty: true, label: 'list of steps' }),
        doc: 'Several inputs, one after the other, each with its own checks; instead of `input`.',
      },
      memory: { schema: jsonObject(), doc: 'What the agent remembers at the start.' },
      conversation_id: { schema: text(), doc: 'Groups cases of one conversation.' },
      execution: {
        schema: caseExecution(kinds),
        doc: 'Which target runs it, and which evaluators judge it.',
      },
      evaluators: {
        schema: kinds.evaluatorList,
        doc: "How it is judged; replaces the file's evaluators.",
        aliases: { assertions: kinds.evaluatorList, assert: kinds.evaluatorList },
        twice: 'error',
      },
      targets: EVAL_TARGETS_FIELD,
      evaluator: defaultEvaluatorField(kinds),
      rubrics: {
        schema: kinds.rubric.schema.fields['rubrics']!.schema,
        doc: 'Short for one `rubric` evaluator, added to the others.',
      },
      threshold: thresholdField,
      ...TEMPLATE_FIELDS,
      metadata: { schema: jsonObject(), doc: 'Any data you want; kept in the results.' },
      ...SHARED_FIELDS,
      ...agentvCaseFields(kinds),
    },
    {
      what: 'an eval case',
      ...UNKNOWN_FIELDS,
      // Without it the case would run with other targets, and nobody would check this one.
      refused: { ...WRONG_NAMES, target: 'write `targets: [...]`, or `execution: { target: ... }`' },
      hintFor: hintForCaseKey,
      belongsIn: fieldOfClaim,
      ignored: { reference_answer: 'write `expected_output`' },
    },
  );
}

function hintForCaseKey(key: string): string | undefined {
  if (key === '<<')
    return 'eval files are YAML 1.2, which has no merge keys, so nothing is merged: repeat the fields, or set them once for the whole file';
  if (['expected', 'expect', 'expects'].includes(key))
    return 'write `expected_output` (the answer) or `expected_outcome` (the goal in words)';
  if (key === 'name') return 'the name of a case is its `id`';
  return isClaimKey(key) ? `${quoteName(key)} is a claim: claims go under \`assert\` of a step` : undefined;
}

const messageFields = {
  input_messages: {
    schema: inputMessages,
    doc: 'The messages to the agent.',
    aliases: { input: inputShorthand },
    null: 'absent',
  },
  expected_messages: {
    schema: expectedMessages,
    doc: 'The expected answer.',
    aliases: { expected_output: expectedShorthand },
    null: 'absent',
  },
} as const;

export const thresholdField = {
  schema: number({ min: 0, max: 1 }),
  doc: 'The weighted mean of the evaluators must reach it. Default: 0.8.',
} as const;

const executionTarget = { schema: text({ nonEmpty: true }), doc: 'The target that runs it.' };

function caseExecution({ evaluatorList }: AssertionKinds) {
  return object(
    {
      target: executionTarget,
      evaluators: {
        schema: evaluatorList,
        doc: 'How it is judged.',
        aliases: { assertions: evaluatorList, assert: evaluatorList },
        twice: 'error',
      },
      ...EXECUTION_FIELDS,
    },
    { what: '`execution`', ...UNKNOWN_FIELDS },
  );
}

/** `execution` of a file: `evaluators` are replaced by those of a case, and `assert` is added to them. */
export function fileExecution({ evaluatorList }: AssertionKinds) {
  return object(
    {
      target: executionTarget,
      evaluators: { schema: evaluatorList, doc: 'How cases that have no evaluators are judged.' },
      assert: {
        schema: evaluatorList,
        doc: 'AgentV: evaluators that are added to those of every case.',
        aliases: { assertions: evaluatorList },
        twice: 'error',
      },
      ...EXECUTION_FIELDS,
    },
    { what: '`execution`', ...UNKNOWN_FIELDS },
  );
}

/** Only a built-in evaluator without required parameters can be a default. */
export function defaultEvaluatorField({ evaluators, spellings }: AssertionKinds) {
  const names = evaluators.filter(needsNothing).map(({ kind }) => kind);
  const foreign = new Map(
    spellings
      .filter(({ kind }) => names.includes(kind.kind))
      .flatMap(({ names: others, kind }) =>
        others.flatMap((name) => [name, name.replaceAll('-', '_')].map((each) => [each, kind.kind] as const)),
      ),
  );
  const own = oneOf(names);
  return {
    schema: {
      ...own,
      read: (value: Json, reader: Reader) =>
        own.read((typeof value === 'string' ? foreign.get(value) : undefined) ?? value, reader),
    },
    doc: 'The evaluator of a case that has none. Default: `llm_judge`.',
  } as const;
}

function needsNothing({ kind, schema, source }: EvaluatorKind): boolean {
  if (source !== undefined) return false;
  const reader = new Reader(NOWHERE);
  schema.read({ type: kind }, reader);
  return reader.errorCount === 0;
}

function evalStepSchema(kinds: AssertionKinds) {
  const schema = object(
    { ...messageFields, ...checkFields(kinds), description: SHARED_FIELDS.description },
    {
      what: 'a step',
      hintFor: (key) =>
        key === 'evaluators' ? 'in a step, evaluators go under `assert`' : hintForClaim(key),
      belongsIn: fieldOfClaim,
    },
  );
  return readingOf(schema, (value: Json, reader: Reader): Step | undefined => {
    const read = schema.read(value, reader);
    if (read === undefined) return undefined;
    if (read.input_messages === undefined && !given(value, 'input') && !given(value, 'input_messages')) {
      reader.error({ code: 'missing_input', message: 'a step needs `input`', at: ['input'] });
    }
    const assertions = chooseChecks(value, read, reader);
    const { input_messages = [], expected_messages = [] } = read;
    return createStep(value as JsonObject, { input_messages, expected_messages, assertions }, reader);
  });
}
