import { checkNegatedValue } from '../../base/match/matchers/negated-data.ts';
import type { Assertion } from '../../base/model/assertion.ts';
import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { joinApprovals, type Approvals } from '../../base/model/approval.ts';
import type { PassAtLeast } from '../../base/model/pass-at-least.ts';
import type { Step, Test } from '../../base/model/test.ts';
import { nameApart } from '../../checks/contract/evaluator-list.ts';
import { misspelledAs } from '../../base/schema/did-you-mean.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { given } from '../../base/schema/refine.ts';
import type { Infer } from '../../base/schema/schema.ts';
import { caseInput, checkTurns } from './agentv/case-input.ts';
import { mergeMetadata, metadataOf, withRubricPrompt, type SharedByCases } from './agentv/shared-by-cases.ts';
import type { SharedInput } from './agentv/shared-input.ts';
import type { EvalCaseSchema } from './eval-case-schema.ts';
import type { AttemptLimits } from '../../base/model/limits.ts';
import { joinMessages, messagesOf, withMessagesBefore, type MessagesBefore } from './messages-before.ts';
import { resolveRepeats } from './repeat-fields.ts';
import type { SharedEvaluators } from './templates/shared-evaluators.ts';
import { refuseTwoTargets, resolveTargets } from './targets-field.ts';
import { createStep, refuseLaterSteps, warnAboutUncheckedSteps } from './step.ts';
import { planWorkspace, workspaceFields, type ReadWorkspace } from './workspace-fields.ts';

/** What a file (or a dataset's sidecar) sets for all of its cases. */
export interface SuiteDefaults {
  readonly evaluators?: SharedEvaluators;
  readonly evaluator?: string;
  readonly targets?: Pick<Test, 'target' | 'targets'>;
  readonly threshold?: number;
  readonly repeats?: number;
  readonly pass_at_least?: PassAtLeast;
  readonly limits?: AttemptLimits;
  readonly workspace?: ReadWorkspace;
  readonly approvals?: Approvals;
  readonly stop_after?: Test['stop_after'];
  readonly tags?: readonly string[];
  readonly vars?: JsonObject;
  readonly metadata?: JsonObject;
  /** Added to what the case itself has. */
  readonly shared?: SharedByCases;
  /** The sidecar of a dataset is written as AgentV 4 and newer write it, and so are its lines. */
  readonly isAgentv?: boolean;
  /** Something in it is wrong, so it may contain more than this. */
  readonly hasErrors?: boolean;
}

type AuthoredCase = Infer<EvalCaseSchema>;

export interface CaseContext {
  readonly schema: EvalCaseSchema;
  readonly defaults: SuiteDefaults;
  /** What the case is asked, if it has no input of its own. */
  readonly prompt?: SharedInput | undefined;
  /** The file with the settings of a dataset. */
  readonly sidecar?: string | undefined;
}

/** A test from the eval case at the reader, or undefined if something in it is wrong. */
export function readEvalCase(
  value: Json,
  reader: Reader,
  { schema, defaults, prompt, sidecar }: CaseContext,
): Test | undefined {
  const errorsBefore = reader.errorCount;
  const read = schema.read(value, reader);
  if (read === undefined || !isJsonObject(value)) return undefined;
  const shared = sharedWith(read, reader, { defaults, prompt, authored: value });
  const evaluators = collectEvaluators(read, reader, { defaults, shared });
  warnAboutTwoLists(value, reader);
  refuseTwoTargets(value, reader);
  checkInput(value, reader, { before: shared.before, hasErrors: reader.errorCount > errorsBefore });
  checkTurns(value, reader);
  if (reader.isAgentv && given(value, 'threshold')) warnAboutThreshold(reader);
  checkNegatedMatch(value, read, { evaluators, reader });
  const steps = read.steps ?? read.turns;
  const hasStepChecks = steps?.some((step) => step.assertions.length > 0) === true;
  if (evaluators.length === 0 && hasStepChecks) warnAboutUncheckedSteps(steps, reader);
  if (evaluators.length === 0 && !hasStepChecks) {
    if (
      !hasOutcome(value) &&
      !mayHaveChecks(value, { hasErrors: reader.errorCount > errorsBefore, defaults })
    ) {
      reader.error({
        code: 'missing_expected_outcome',
        message: 'an eval case without evaluators needs `expected_outcome`',
        hint: missingChecksHint(value, sidecar),
        at: ['expected_outcome'],
      });
    }
    evaluators.push(defaultEvaluator(read.evaluator ?? defaults.evaluator ?? 'llm_judge', reader));
  }
  const input_messages = caseInput(read, reader, { authored: value, shared });
  if (reader.errorCount > errorsBefore || read.id === undefined) return undefined;
  const authored =
    input_messages === undefined || input_messages === read.input_messages
      ? read
      : { ...read, input_messages };
  return createTest(value, authored, { evaluators, reader, defaults, before: shared.before, id: read.id });
}

function warnAboutThreshold(reader: Reader): void {
  reader.warning({
    code: 'agentv_threshold',
    message: 'AgentV does not read `threshold` of a case, and Assay does',
    hint: 'write `execution: { threshold: ... }`, which both read, or remove it',
    at: ['threshold'],
    onKey: true,
  });
}

function missingChecksHint(value: JsonObject, sidecar: string | undefined): string {
  const words = 'describe a good answer in words in `expected_outcome`';
  if (!given(value, 'expected_output') && !given(value, 'expected_messages'))
    return sidecar === undefined
      ? `${words}, or add \`evaluators\``
      : `${words}, or add \`evaluators\` here or, for every line, in the sidecar ${sidecar}`;
  const match = '`evaluators: [{ type: match }]`';
  return sidecar === undefined
    ? `to compare the answer with \`expected_output\`, add ${match}; or ${words}`
    : `to compare every answer with its \`expected_output\`, write ${match} into the sidecar ${sidecar} next to the dataset; or ${words}`;
}

/** An expected answer that is compared by a `match` with `negate: true`: what its author likely meant as a matcher never matches. */
function checkNegatedMatch(
  value: JsonObject,
  read: AuthoredCase,
  { evaluators, reader }: { readonly evaluators: readonly Assertion[]; readonly reader: Reader },
): void {
  const isNegated = (all: readonly Assertion[]): boolean =>
    all.some(({ kind, negate }) => kind === 'match' && negate);
  const check = (item: Json | undefined): void => {
    for (const name of ['expected_messages', 'expected_output']) {
      if (!isJsonObject(item) || !given(item, name)) continue;
      reader.enter(name);
      checkNegatedValue(item[name]!, reader);
      reader.leave();
    }
  };
  if (isNegated(evaluators)) check(value);
  for (const list of ['steps', 'turns'] as const)
    for (const [index, step] of (read[list] ?? []).entries()) {
      if (!isNegated([...step.assertions, ...evaluators])) continue;
      reader.enter(list);
      reader.enter(index);
      check((value[list] as readonly Json[])[index]);
      reader.leave();
      reader.leave();
    }
}

interface SharedWithCase extends Omit<SharedByCases, 'input'> {
  /** Messages before its own input. */
  readonly before?: MessagesBefore | undefined;
}

const NOTHING_SHARED: SharedWithCase = {};

/** What the file adds to the case at the reader. */
function sharedWith(
  read: AuthoredCase,
  reader: Reader,
  { defaults, prompt, authored }: Omit<CaseContext, 'schema'> & { readonly authored: JsonObject },
): SharedWithCase {
  if (defaults.shared === undefined && prompt === undefined) return NOTHING_SHARED;
  const { input, ...shared } = read.execution?.skip_defaults === true ? {} : (defaults.shared ?? {});
  const own = ['input_messages', 'input', 'steps'].find((name) => given(authored, name));
  if (prompt !== undefined && own !== undefined)
    reader.error({
      code: 'given_twice',
      message: `\`${own}\` of a case and \`prompts\` of its file cannot be used together`,
      hint: 'keep one of them; a prompt can have the input as a variable',
      at: [own],
      onKey: true,
    });
  return { ...shared, before: joinMessages([input?.(reader), prompt?.(reader)]) };
}

function collectEvaluators(
  read: AuthoredCase,
  reader: Reader,
  { defaults, shared }: { readonly defaults: SuiteDefaults; readonly shared: SharedWithCase },
): Assertion[] {
  const own = read.execution?.evaluators ?? read.evaluators ?? defaults.evaluators?.(reader) ?? [];
  const added = shared.evaluators?.(reader) ?? [];
  const evaluators = added.length === 0 ? [...own] : [...nameApart([...own, ...added])];
  const prompt = read.options?.rubric_prompt ?? shared.rubric_prompt;
  if (read.rubrics === undefined) return [...withRubricPrompt(evaluators, prompt, reader.vars)];
  const rubric = {
    ...defaultEvaluator('rubric', reader),
    parameters: { rubrics: read.rubrics as Json, ...(reader.isAgentv ? { share: true } : {}) },
    place: reader.place('rubrics'),
  };
  return [...withRubricPrompt(nameApart([...evaluators, rubric]), prompt, reader.vars)];
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
  if (defaults.hasErrors === true || (hasErrors && defaults.evaluators !== undefined)) return true;
  return (
    hasErrors &&
    ['execution', 'evaluators', 'assertions', 'assert', 'rubrics', 'steps', 'turns'].some(
      (name) => given(value, name) || misspelledAs(name, value) !== undefined,
    )
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

function checkInput(
  value: JsonObject,
  reader: Reader,
  { before, hasErrors }: { readonly before: MessagesBefore | undefined; readonly hasErrors: boolean },
): void {
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
  } else if (
    name === undefined &&
    !given(value, 'steps') &&
    !given(value, 'turns') &&
    before === undefined &&
    // A misspelled `input` has been reported as such.
    !(hasErrors && ['input', 'input_messages'].some((each) => misspelledAs(each, value) !== undefined))
  ) {
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
  readonly before: MessagesBefore | undefined;
}

function createTest(
  value: JsonObject,
  read: AuthoredCase,
  { id, evaluators, reader, defaults, before }: TestParts,
): Test {
  const steps = stepsOf(value, read, { evaluators, reader, before });
  const threshold = read.threshold ?? read.run?.threshold ?? read.execution?.threshold ?? defaults.threshold;
  if (threshold === 0)
    refuseZero([...steps.flatMap((step) => step.assertions), ...evaluators], reader, read.threshold === 0);
  const only = steps.length === 1 ? steps[0] : undefined;
  refuseLaterSteps(read.stop_after ?? defaults.stop_after, steps, reader);
  const { repeats, pass_at_least } = resolveRepeats(
    read,
    read.options?.repeat ?? read.run?.repeat ?? read.execution?.trials ?? defaults,
  );
  return {
    id,
    description: read.description,
    expected_outcome: read.expected_outcome,
    conversation_id: read.conversation_id,
    memory: read.memory,
    input_messages: only?.input_messages,
    expected_messages: only?.expected_messages,
    steps,
    assertions: read.steps === undefined && read.turns === undefined ? [] : evaluators,
    ...(resolveTargets(read.execution?.target, read.execution?.targets, read.targets) ?? defaults.targets),
    threshold,
    repeats,
    pass_at_least,
    limits: read.limits === undefined ? defaults.limits : { ...defaults.limits, ...read.limits },
    approvals:
      read.approvals === undefined || defaults.approvals === undefined
        ? (read.approvals ?? defaults.approvals)
        : joinApprovals([read.approvals, defaults.approvals]),
    stop_after: read.stop_after ?? defaults.stop_after,
    faults: read.faults,
    workspace: planWorkspace(workspaceFields(read), reader, defaults.workspace),
    tags: read.tags ?? defaults.tags ?? [],
    skip: read.skip === false ? undefined : read.skip,
    only: read.only === true ? true : undefined,
    metadata: mergeMetadata(defaults.metadata, metadataOf(read)),
    vars: reader.vars,
    row: reader.row,
    place: reader.place(),
  };
}

/** Every score reaches 0: unless something is required, every reply passes. */
function refuseZero(assertions: readonly Assertion[], reader: Reader, isOwn: boolean): void {
  const decides = ({ form, weight, required }: Assertion): boolean =>
    form === 'claim' || (weight > 0 && typeof required === 'number' && required > 0);
  if (assertions.some(decides)) return;
  reader.error({
    code: 'threshold_zero',
    message: '`threshold: 0` lets every reply pass: no score is below 0',
    hint: 'give the score to reach; if an evaluator must not decide, use `weight: 0`',
    ...(isOwn ? { at: ['threshold'] } : {}),
  });
}

/** The messages of the file come before those of the case; for a conversation, both before its first turn. */
function stepsOf(
  value: JsonObject,
  read: AuthoredCase,
  { evaluators, reader, before }: Omit<TestParts, 'id' | 'defaults'>,
): readonly Step[] {
  const { input_messages = [], expected_messages = [] } = read;
  if (read.steps !== undefined) return withFirst(read.steps, before);
  const assertions = read.turns === undefined ? evaluators : [];
  const own = createStep(value, { input_messages, expected_messages, assertions }, reader);
  const whole = withMessagesBefore(own, before);
  return read.turns === undefined ? [whole] : withFirst(read.turns, messagesOf(whole));
}

function withFirst([first, ...others]: readonly Step[], before: MessagesBefore | undefined): readonly Step[] {
  return first === undefined ? [] : [withMessagesBefore(first, before), ...others];
}
