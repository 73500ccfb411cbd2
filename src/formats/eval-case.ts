import type { Assertion } from '../model/assertion.ts';
import { isJsonObject, ownValue, type Json, type JsonObject } from '../model/json.ts';
import type { Step, Test } from '../model/test.ts';
import type { AssertionKinds, EvaluatorKind } from '../schema/assertion-kind.ts';
import { nameApart } from '../schema/evaluator-list.ts';
import { list } from '../schema/list.ts';
import { object } from '../schema/object.ts';
import { NOWHERE, Reader } from '../schema/reader.ts';
import { given } from '../schema/refine.ts';
import type { Infer } from '../schema/schema.ts';
import { jsonObject, number, oneOf, text } from '../schema/values.ts';
import { expectedMessages, expectedShorthand, inputMessages, inputShorthand } from './messages.ts';
import { SHARED_FIELDS } from './shared-fields.ts';
import { checkFields, chooseChecks, createStep } from './step.ts';

/** Misspelling one of these would switch checks off, so a key that looks like one of them is an error. */
const CHECK_FIELDS = [
  'evaluators',
  'assert',
  'assertions',
  'rubrics',
  'expected_outcome',
  'expected_messages',
  'expected_output',
  'steps',
  'execution',
];

export const UNKNOWN_FIELDS = { unknown: 'warning', guarded: CHECK_FIELDS } as const;

export type EvalCaseSchema = ReturnType<typeof evalCaseSchema>;

export function evalCaseSchema(kinds: AssertionKinds) {
  const outcome = text({ nonEmpty: true });
  return object(
    {
      id: { schema: text({ nonEmpty: true, code: 'id' }), doc: 'Its name, unique in the file.', missing: 'id' },
      expected_outcome: {
        schema: outcome,
        doc: 'The goal in words. Needed when there is no evaluator.',
        aliases: { outcome, criteria: outcome },
      },
      ...messageFields,
      steps: {
        schema: list(evalStepSchema(kinds), { nonEmpty: true, label: 'list of steps' }),
        doc: 'Several inputs, one after the other, each with its own checks; instead of `input`.',
      },
      memory: { schema: jsonObject(), doc: 'What the agent remembers at the start.' },
      conversation_id: { schema: text(), doc: 'Groups cases of one conversation.' },
      execution: { schema: executionSchema(kinds), doc: 'Which target runs it, and which evaluators judge it.' },
      evaluators: {
        schema: kinds.evaluatorList,
        doc: "How it is judged; replaces the file's evaluators.",
        aliases: { assertions: kinds.evaluatorList, assert: kinds.evaluatorList },
        twice: 'error',
      },
      evaluator: defaultEvaluatorField(kinds),
      rubrics: { schema: kinds.rubric.schema.fields['rubrics']!.schema, doc: 'Short for one `rubric` evaluator, added to the others.' },
      threshold: thresholdField,
      metadata: { schema: jsonObject(), doc: 'Anything of your own; kept in the results.' },
      ...SHARED_FIELDS,
    },
    {
      what: 'an eval case',
      ...UNKNOWN_FIELDS,
      hintFor: hintForCaseKey,
      ignored: { reference_answer: 'write `expected_output`' },
    },
  );
}

function hintForCaseKey(key: string): string | undefined {
  if (key === '<<') return 'eval files are YAML 1.2, which has no merge keys: nothing is merged; repeat the fields, or say them once for the whole file';
  if (key === 'expected') return 'write `expected_output` (the answer) or `expected_outcome` (the goal in words)';
  return undefined;
}

const messageFields = {
  input_messages: { schema: inputMessages, doc: 'What the agent is told.', aliases: { input: inputShorthand } },
  expected_messages: {
    schema: expectedMessages,
    doc: 'What it should answer.',
    aliases: { expected_output: expectedShorthand },
    null: 'absent',
  },
} as const;

export const thresholdField = {
  schema: number({ min: 0, max: 1 }),
  doc: 'The weighted mean of the evaluators must reach it. Default: 0.8.',
} as const;

export function executionSchema(kinds: AssertionKinds) {
  return object(
    {
      target: { schema: text({ nonEmpty: true }), doc: 'The target that runs it.' },
      evaluators: { schema: kinds.evaluatorList, doc: 'How it is judged.', aliases: { assertions: kinds.evaluatorList }, twice: 'error' },
    },
    { what: '`execution`', ...UNKNOWN_FIELDS },
  );
}

/** Only an evaluator that needs no parameters can be a default. */
export function defaultEvaluatorField({ evaluators }: AssertionKinds) {
  const needsNothing = ({ kind, schema }: EvaluatorKind): boolean => {
    const reader = new Reader(NOWHERE);
    schema.read({ type: kind }, reader);
    return reader.errorCount === 0;
  };
  const names = evaluators.filter(needsNothing).map(({ kind }) => kind);
  return { schema: oneOf(names), doc: 'The evaluator of a case that has none. Default: `llm_judge`.' } as const;
}

function evalStepSchema(kinds: AssertionKinds) {
  const schema = object(
    { ...messageFields, ...checkFields(kinds), description: SHARED_FIELDS.description },
    { what: 'a step', hintFor: (key) => (key === 'evaluators' ? 'evaluators of a step stand under `assert`' : undefined) },
  );
  return {
    ...schema,
    read(value: Json, reader: Reader): Step | undefined {
      const read = schema.read(value, reader);
      if (read === undefined) return undefined;
      if (read.input_messages === undefined && !given(value, 'input') && !given(value, 'input_messages')) {
        reader.error({ code: 'missing_input', message: 'a step needs `input`', at: ['input'] });
      }
      const assertions = chooseChecks(value, read, reader);
      const { input_messages = [], expected_messages = [] } = read;
      return createStep(value as JsonObject, { input_messages, expected_messages, assertions }, reader);
    },
  };
}

/** What a file (or a dataset's sidecar) says for all of its cases. */
export interface SuiteDefaults {
  readonly evaluators?: readonly Assertion[];
  readonly evaluator?: string;
  readonly target?: string;
  readonly threshold?: number;
  readonly tags?: readonly string[];
  /** Something in it is wrong, so that it may say more than this. */
  readonly hasErrors?: boolean;
}

type AuthoredCase = Infer<EvalCaseSchema>;

export interface CaseContext {
  readonly schema: EvalCaseSchema;
  readonly defaults: SuiteDefaults;
}

/** A test of the eval case the reader stands at, or undefined when something in it is wrong. */
export function readEvalCase(value: Json, reader: Reader, { schema, defaults }: CaseContext): Test | undefined {
  const errorsBefore = reader.errorCount;
  const read = schema.read(value, reader);
  if (read === undefined || !isJsonObject(value)) return undefined;
  const evaluators = collectEvaluators(read, reader, defaults);
  warnAboutTwoLists(value, reader);
  checkInput(value, reader);
  const hasStepChecks = read.steps?.some((step) => step.assertions.length > 0) === true;
  if (evaluators.length === 0 && !hasStepChecks) {
    if (!hasOutcome(value) && !mayHaveChecks(value, { hasErrors: reader.errorCount > errorsBefore, defaults })) {
      reader.error({
        code: 'missing_expected_outcome',
        message: 'an eval case without evaluators needs `expected_outcome`',
        hint: 'say in words what a good answer is, or add `evaluators`',
        at: ['expected_outcome'],
      });
    }
    evaluators.push(defaultEvaluator(read.evaluator ?? defaults.evaluator ?? 'llm_judge', reader));
  }
  if (reader.errorCount > errorsBefore || read.id === undefined) return undefined;
  return createTest(value, read, { evaluators, reader, defaults, id: read.id });
}

function collectEvaluators(read: AuthoredCase, reader: Reader, defaults: SuiteDefaults): Assertion[] {
  const evaluators = [...(read.execution?.evaluators ?? read.evaluators ?? defaults.evaluators ?? [])];
  if (read.rubrics === undefined) return evaluators;
  const rubric = { ...defaultEvaluator('rubric', reader), parameters: { rubrics: read.rubrics as Json }, place: reader.place('rubrics') };
  return [...nameApart([...evaluators, rubric])];
}

/** Two lists at one level are no alias of each other: the list of `execution` is the nearer one. */
export function warnAboutTwoLists(value: Json, reader: Reader): void {
  if (!isJsonObject(value) || !given(ownValue(value, 'execution') ?? null, 'evaluators')) return;
  for (const name of ['evaluators', 'assertions', 'assert']) {
    if (!given(value, name)) continue;
    reader.warning({ code: 'evaluators_ignored', message: `\`${name}\` is not used, because \`execution.evaluators\` is there too`, hint: 'keep one of them', at: [name], onKey: true });
  }
}

/** Whether there may be checks that could not be read. What is wrong with them is said already. */
function mayHaveChecks(value: JsonObject, { hasErrors, defaults }: { readonly hasErrors: boolean; readonly defaults: SuiteDefaults }): boolean {
  if (defaults.hasErrors === true) return true;
  return hasErrors && ['execution', 'evaluators', 'assertions', 'assert', 'rubrics', 'steps'].some((name) => given(value, name));
}

function defaultEvaluator(kind: string, reader: Reader): Assertion {
  return { form: 'evaluator', kind, name: kind, weight: 1, required: false, negate: false, parameters: {}, place: reader.place() };
}

function checkInput(value: JsonObject, reader: Reader): void {
  const name = ['input_messages', 'input'].find((candidate) => given(value, candidate));
  const answer = ['expected_messages', 'expected_output'].find((candidate) => given(value, candidate));
  if (answer !== undefined && given(value, 'steps')) {
    reader.error({ code: 'expected_beside_steps', message: `\`${answer}\` and \`steps\` exclude each other`, hint: 'move it into the step that it is the answer of', at: [answer], onKey: true });
  }
  if (name !== undefined && given(value, 'steps')) {
    reader.error({ code: 'input_beside_steps', message: `\`${name}\` and \`steps\` exclude each other`, hint: 'move the input into the first step', at: [name], onKey: true });
  } else if (name === undefined && !given(value, 'steps')) {
    const at = Object.hasOwn(value, 'input_messages') ? 'input_messages' : 'input';
    reader.error({ code: 'missing_input', message: 'an eval case needs `input`', hint: 'add `input` (or `input_messages`, or `steps`)', at: [at] });
  }
}

function hasOutcome(value: JsonObject): boolean {
  return ['expected_outcome', 'outcome', 'criteria'].some((name) => given(value, name));
}

interface TestParts {
  readonly id: string;
  readonly evaluators: readonly Assertion[];
  readonly reader: Reader;
  readonly defaults: SuiteDefaults;
}

function createTest(value: JsonObject, read: AuthoredCase, { id, evaluators, reader, defaults }: TestParts): Test {
  const { input_messages = [], expected_messages = [] } = read;
  const steps = read.steps ?? [createStep(value, { input_messages, expected_messages, assertions: evaluators }, reader)];
  const only = steps.length === 1 ? steps[0] : undefined;
  return {
    id,
    description: read.description,
    expected_outcome: read.expected_outcome,
    conversation_id: read.conversation_id,
    memory: read.memory,
    input_messages: only?.input_messages,
    expected_messages: only?.expected_messages,
    steps,
    assertions: read.steps === undefined ? [] : evaluators,
    target: read.execution?.target ?? defaults.target,
    threshold: read.threshold ?? defaults.threshold,
    tags: read.tags ?? defaults.tags ?? [],
    skip: read.skip === false ? undefined : read.skip,
    only: read.only === true ? true : undefined,
    metadata: read.metadata,
    place: reader.place(),
  };
}
