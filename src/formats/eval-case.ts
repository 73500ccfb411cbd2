import type { Assertion } from '../model/assertion.ts';
import { isJsonObject, ownValue, type Json, type JsonObject } from '../model/json.ts';
import type { PassAtLeast } from '../model/pass-at-least.ts';
import type { Test } from '../model/test.ts';
import { nameApart } from '../assertions/contract/evaluator-list.ts';
import type { Reader } from '../schema/reader.ts';
import { given } from '../schema/refine.ts';
import type { Infer } from '../schema/schema.ts';
import type { EvalCaseSchema } from './eval-case-schema.ts';
import type { AttemptLimits } from '../model/limits.ts';
import { resolveRepeats } from './repeat-fields.ts';
import type { SharedEvaluators } from './templates/shared-evaluators.ts';
import { createStep, warnAboutUncheckedSteps } from './step.ts';

/** What a file (or a dataset's sidecar) sets for all of its cases. */
export interface SuiteDefaults {
  readonly evaluators?: SharedEvaluators;
  readonly evaluator?: string;
  readonly target?: string;
  readonly threshold?: number;
  readonly repeats?: number;
  readonly pass_at_least?: PassAtLeast;
  readonly limits?: AttemptLimits;
  readonly tags?: readonly string[];
  readonly vars?: JsonObject;
  /** Something in it is wrong, so it may contain more than this. */
  readonly hasErrors?: boolean;
}

type AuthoredCase = Infer<EvalCaseSchema>;

export interface CaseContext {
  readonly schema: EvalCaseSchema;
  readonly defaults: SuiteDefaults;
}

/** A test from the eval case at the reader, or undefined if something in it is wrong. */
export function readEvalCase(
  value: Json,
  reader: Reader,
  { schema, defaults }: CaseContext,
): Test | undefined {
  const errorsBefore = reader.errorCount;
  const read = schema.read(value, reader);
  if (read === undefined || !isJsonObject(value)) return undefined;
  const evaluators = collectEvaluators(read, reader, defaults);
  warnAboutTwoLists(value, reader);
  checkInput(value, reader);
  const hasStepChecks = read.steps?.some((step) => step.assertions.length > 0) === true;
  if (evaluators.length === 0 && hasStepChecks) warnAboutUncheckedSteps(read.steps ?? [], reader);
  if (evaluators.length === 0 && !hasStepChecks) {
    if (
      !hasOutcome(value) &&
      !mayHaveChecks(value, { hasErrors: reader.errorCount > errorsBefore, defaults })
    ) {
      reader.error({
        code: 'missing_expected_outcome',
        message: 'an eval case without evaluators needs `expected_outcome`',
        hint: 'describe a good answer in words, or add `evaluators`',
        at: ['expected_outcome'],
      });
    }
    evaluators.push(defaultEvaluator(read.evaluator ?? defaults.evaluator ?? 'llm_judge', reader));
  }
  if (reader.errorCount > errorsBefore || read.id === undefined) return undefined;
  return createTest(value, read, { evaluators, reader, defaults, id: read.id });
}

function collectEvaluators(read: AuthoredCase, reader: Reader, defaults: SuiteDefaults): Assertion[] {
  const own = read.execution?.evaluators ?? read.evaluators;
  const evaluators = [...(own ?? defaults.evaluators?.(reader) ?? [])];
  if (read.rubrics === undefined) return evaluators;
  const rubric = {
    ...defaultEvaluator('rubric', reader),
    parameters: { rubrics: read.rubrics as Json },
    place: reader.place('rubrics'),
  };
  return [...nameApart([...evaluators, rubric])];
}

/** Two lists at one level are not aliases of each other: the list of `execution` is the closer one. */
export function warnAboutTwoLists(value: Json, reader: Reader): void {
  if (!isJsonObject(value) || !given(ownValue(value, 'execution') ?? null, 'evaluators')) return;
  for (const name of ['evaluators', 'assertions', 'assert']) {
    if (!given(value, name)) continue;
    reader.warning({
      code: 'evaluators_ignored',
      message: `\`${name}\` is ignored because \`execution.evaluators\` is present too`,
      hint: 'keep one of them',
      at: [name],
      onKey: true,
    });
  }
}

/** Whether there may be checks that could not be read. Their problems are already reported. */
function mayHaveChecks(
  value: JsonObject,
  { hasErrors, defaults }: { readonly hasErrors: boolean; readonly defaults: SuiteDefaults },
): boolean {
  if (defaults.hasErrors === true) return true;
  return (
    hasErrors &&
    ['execution', 'evaluators', 'assertions', 'assert', 'rubrics', 'steps'].some((name) => given(value, name))
  );
}

function defaultEvaluator(kind: string, reader: Reader): Assertion {
  return {
    form: 'evaluator',
    kind,
    name: kind,
    weight: 1,
    required: false,
    negate: false,
    parameters: {},
    place: reader.place(),
  };
}

function checkInput(value: JsonObject, reader: Reader): void {
  const name = ['input_messages', 'input'].find((candidate) => given(value, candidate));
  const answer = ['expected_messages', 'expected_output'].find((candidate) => given(value, candidate));
  if (answer !== undefined && given(value, 'steps')) {
    reader.error({
      code: 'expected_beside_steps',
      message: `\`${answer}\` and \`steps\` cannot be used together`,
      hint: 'move it into the step it belongs to',
      at: [answer],
      onKey: true,
    });
  }
  if (name !== undefined && given(value, 'steps')) {
    reader.error({
      code: 'input_beside_steps',
      message: `\`${name}\` and \`steps\` cannot be used together`,
      hint: 'move the input into the first step',
      at: [name],
      onKey: true,
    });
  } else if (name === undefined && !given(value, 'steps')) {
    const at = Object.hasOwn(value, 'input_messages') ? 'input_messages' : 'input';
    const isNull = Object.hasOwn(value, at) ? ', but it is null' : '';
    reader.error({
      code: 'missing_input',
      message: `an eval case needs \`${at}\`${isNull}`,
      hint: 'add `input` (or `input_messages`, or `steps`)',
      at: [at],
    });
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

function createTest(
  value: JsonObject,
  read: AuthoredCase,
  { id, evaluators, reader, defaults }: TestParts,
): Test {
  const { input_messages = [], expected_messages = [] } = read;
  const steps = read.steps ?? [
    createStep(value, { input_messages, expected_messages, assertions: evaluators }, reader),
  ];
  const only = steps.length === 1 ? steps[0] : undefined;
  const { repeats, pass_at_least } = resolveRepeats(read, defaults);
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
    repeats,
    pass_at_least,
    limits: read.limits === undefined ? defaults.limits : { ...defaults.limits, ...read.limits },
    tags: read.tags ?? defaults.tags ?? [],
    skip: read.skip === false ? undefined : read.skip,
    only: read.only === true ? true : undefined,
    metadata: read.metadata,
    place: reader.place(),
  };
}
