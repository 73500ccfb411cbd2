import type { AssertionKinds } from '../../checks/contract/assertion-kinds.ts';
import type { Assertion } from '../../base/model/assertion.ts';
import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { ObjectOf } from '../../base/schema/object.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { given } from '../../base/schema/refine.ts';
import { joinEvaluators, metadataOf, type SharedByCases } from './agentv/shared-by-cases.ts';
import { createSharedInput } from './agentv/shared-input.ts';
import type { SuiteDefaults } from './eval-case.ts';
import type { suiteFields } from './eval-file.ts';
import { resolveRepeats } from './repeat-fields.ts';
import { resolveTargets } from './targets-field.ts';
import {
  createSharedEvaluators,
  type EvaluatorTemplates,
  type SharedEvaluators,
} from './templates/shared-evaluators.ts';
import { workspaceFields } from './workspace-fields.ts';

type ReadSuite = ObjectOf<ReturnType<typeof suiteFields>>;

interface DefaultsContext {
  /** The file as it is written. */
  readonly value: Json;
  readonly kinds: AssertionKinds;
  readonly templates: Pick<EvaluatorTemplates, 'defaults' | 'added'>;
}

/** What a file, or the sidecar of a dataset, sets for all of its cases. */
export function suiteDefaults(read: ReadSuite, reader: Reader, context: DefaultsContext): SuiteDefaults {
  const { value, kinds, templates } = context;
  const { execution = {} } = read;
  const fromTemplate = templates.defaults && createSharedEvaluators(templates.defaults, reader, kinds);
  const evaluators = fromTemplate ?? same(execution.evaluators ?? read.evaluators);
  const repeated = read.repeat ?? read.evaluate_options?.repeat ?? execution.trials;
  const all: { [K in keyof SuiteDefaults]: SuiteDefaults[K] | undefined } = {
    evaluators,
    evaluator: read.evaluator,
    targets: resolveTargets(execution.target ?? read.target, execution.targets, read.targets),
    threshold: read.threshold ?? execution.threshold ?? read.default_test?.threshold,
    ...resolveRepeats(read, repeated ?? read.default_test?.options?.repeat),
    limits: read.limits,
    workspace: workspaceFields(read),
    approvals: read.approvals,
    stop_after: read.stop_after,
    tags: read.tags,
    vars: read.vars,
    metadata: metadataOf(read),
    shared: sharedByCases(read, reader, context),
  };
  if (evaluators !== undefined) refuseTwoMeanings(value, reader);
  if (reader.isAgentv) warnAboutThreshold(read, reader);
  return Object.fromEntries(Object.entries(all).filter(([, set]) => set !== undefined)) as SuiteDefaults;
}

/** In AgentV, the threshold of a file is about the whole run: single tests are compared with 0.8, or with their own. */
function warnAboutThreshold({ threshold, execution }: ReadSuite, reader: Reader): void {
  if (threshold === undefined && execution?.threshold === undefined) return;
  reader.warning({
    code: 'agentv_threshold',
    message:
      'in AgentV, `threshold` of a file does not decide about single tests (0.8 does), and in Assay it does',
    hint: 'write `execution: { threshold: ... }` in the cases, which both read',
    at: threshold === undefined ? ['execution', 'threshold'] : ['threshold'],
    onKey: true,
  });
}

function sharedByCases(
  read: ReadSuite,
  reader: Reader,
  { value, kinds, templates }: DefaultsContext,
): SharedByCases | undefined {
  const { source } = reader;
  const input = isJsonObject(value) ? (ownValue(value, 'input') ?? null) : null;
  const templateOf = (isOfDefaultTest: boolean): SharedEvaluators | undefined => {
    const list = templates.added.find(({ path }) => (path[0] === 'default_test') === isOfDefaultTest);
    return list && createSharedEvaluators(list, reader, kinds);
  };
  const evaluators = joinEvaluators([
    templateOf(true) ?? same(read.default_test?.assert),
    templateOf(false) ?? same(read.assert ?? read.execution?.assert),
  ]);
  const rubric_prompt = read.default_test?.options?.rubric_prompt;
  if ([evaluators, input ?? undefined, read.input_files, rubric_prompt].every((each) => each === undefined))
    return undefined;
  return {
    evaluators,
    input: input === null ? undefined : createSharedInput({ value: input, source, path: ['input'] }, kinds),
    input_files: read.input_files,
    rubric_prompt,
  };
}

function same(evaluators: readonly Assertion[] | undefined): SharedEvaluators | undefined {
  return evaluators && (() => evaluators);
}

/** A case replaces `evaluators`, and `assert` is added to its own. */
function refuseTwoMeanings(value: Json, reader: Reader): void {
  const at = ADDED.find((path) => given(parentOf(value, path), path.at(-1)!));
  if (at !== undefined)
    reader.error({
      code: 'given_twice',
      message: '`evaluators` and `assert` of a file cannot be used together',
      hint: 'a case replaces `evaluators`, and `assert` is added to its own: keep one of them',
      at,
      onKey: true,
    });
}

const ADDED: readonly (readonly string[])[] = [
  ['assert'],
  ['assertions'],
  ['execution', 'assert'],
  ['execution', 'assertions'],
  ['default_test', 'assert'],
];

function parentOf(value: Json, path: readonly string[]): Json {
  return path.length === 1 ? value : (ownValue(value as JsonObject, path[0]!) ?? null);
}

/** The variables of `default_test` are those of the file. */
export function withDefaultVars(value: Json): Json {
  const defaults = isJsonObject(value) ? ownValue(value, 'default_test') : undefined;
  const vars = isJsonObject(defaults) ? ownValue(defaults, 'vars') : undefined;
  if (!isJsonObject(value) || !isJsonObject(vars)) return value;
  const own = ownValue(value, 'vars') ?? {};
  return isJsonObject(own) ? { ...value, vars: { ...vars, ...own } } : value;
}
