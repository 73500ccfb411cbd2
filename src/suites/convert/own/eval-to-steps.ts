import type { AssertionKinds } from '../../../checks/contract/assertion-kinds.ts';
import { resolveRepeats } from '../../formats/repeat-fields.ts';
import type { StepTestSchemas } from '../../formats/step-test.ts';
import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../../base/model/json.ts';
import type { PassAtLeast } from '../../../base/model/pass-at-least.ts';
import type { PathSegment } from '../../../base/model/place.ts';
import type { ConversionLog } from '../conversion-log.ts';
import { given } from '../foreign-value.ts';
import { caseListOf } from './own-suite.ts';
import { leaveOut } from './steps-to-eval.ts';

/** An eval file as step tests. What a step test cannot say is reported. */
export function evalToSteps(document: JsonObject, schemas: StepTestSchemas, log: ConversionLog): Json {
  const list = caseListOf(document);
  const cases = document[list] as readonly JsonObject[];
  const isOne = cases.length === 1;
  reportFileFields(document, { list, schemas, log });
  const tests: JsonObject[] = [];
  for (const [index, item] of cases.entries()) {
    const at = isOne ? [] : [tests.length];
    const test = testOf(item, { document, schemas, log, from: [list, index], at });
    if (test === undefined)
      log.lost({ what: `test ${JSON.stringify(item['id'] ?? '')}`, why: ONE_TEXT, from: [list, index], at });
    else tests.push(test);
  }
  return isOne && tests.length === 1 ? tests[0]! : tests;
}

/** Where targets are named, besides `execution`. */
const TARGET_FIELDS = ['target', 'targets', 'providers'] as const;

/** What a file sets for its cases, and each test can say itself. */
const INLINED: ReadonlySet<string> = new Set([
  'evaluators',
  'assertions',
  'evaluator',
  'tags',
  'limits',
  'repeats',
  'pass_at_least',
  'vars',
  ...TARGET_FIELDS,
]);

interface FileContext {
  readonly list: string;
  readonly schemas: StepTestSchemas;
  readonly log: ConversionLog;
}

function reportFileFields(document: JsonObject, { list, log }: FileContext): void {
  for (const [key, value] of Object.entries(document)) {
    if (key === list || value === null || INLINED.has(key)) continue;
    if (key === '$schema') leaveOut(key, log, [key]);
    else if (key === 'execution') reportExecution(value, log, { from: [], at: [] });
    else {
      const what = key === 'description' ? 'description (of the file)' : key;
      log.lost({ what, why: 'a file of step tests has no settings', from: [key], at: [], value });
    }
  }
}

interface Places {
  readonly from: readonly PathSegment[];
  readonly at: readonly PathSegment[];
}

const OF_EXECUTION: ReadonlySet<string> = new Set(['evaluators', 'assertions', 'target', 'targets']);

function reportExecution(execution: Json, log: ConversionLog, { from, at }: Places): void {
  if (!isJsonObject(execution)) return;
  for (const [key, value] of Object.entries(execution)) {
    if (value === null || OF_EXECUTION.has(key)) continue;
    const what = `execution.${key}`;
    log.lost({ what, why: 'a step test cannot say it', from: [...from, 'execution', key], at, value });
  }
}

interface CaseContext extends Places {
  readonly document: JsonObject;
  readonly schemas: StepTestSchemas;
  readonly log: ConversionLog;
}

const OF_EVALUATORS: ReadonlySet<string> = new Set([
  'evaluators',
  'assertions',
  'assert',
  'rubrics',
  'evaluator',
]);
const OF_INPUT: ReadonlySet<string> = new Set([
  'input',
  'input_messages',
  'expected_messages',
  'expected_output',
]);

const OF_TARGETS: ReadonlySet<string> = new Set(TARGET_FIELDS);

/** Undefined if the agent would get nothing. */
function testOf(item: JsonObject, context: CaseContext): JsonObject | undefined {
  const { document, schemas, log, from, at } = context;
  const fields: Record<string, Json> = { ...idOfRows(item, context) };
  for (const [key, value] of Object.entries(item)) {
    if (value === null || OF_EVALUATORS.has(key) || OF_INPUT.has(key) || OF_TARGETS.has(key)) continue;
    if (key === 'execution') reportExecution(value, log, { from, at });
    else if (key === 'steps') {
      const steps = (value as readonly JsonObject[]).map((step, index) =>
        stepOf(step, { ...context, from: [...from, key, index], at: [...at, key, index] }),
      );
      if (steps.includes(undefined)) return undefined;
      fields[key] = steps as readonly JsonObject[];
    } else if (Object.hasOwn(schemas.test.fields, key)) fields[key] = value;
    else
      log.lost({
        what: key,
        why: WHY[key] ?? 'a step test has no such field',
        from: [...from, key],
        at,
        value,
      });
  }
  Object.assign(fields, sharedFields(item, document));
  const evaluators = evaluatorsOf(item, document);
  if (fields['steps'] === undefined) {
    const isDefault = evaluators.length === 0;
    const step = stepOf(item, context, isDefault ? [defaultEvaluator(item, document)] : evaluators);
    if (step === undefined) return undefined;
    // The default judge reads `expected_outcome`, which is lost.
    if (isDefault && Object.hasOwn(item, 'expected_outcome'))
      return { ...fields, ...uncheckedBy(fields), ...step };
    return isChecked(step)
      ? { ...fields, ...step }
      : { ...fields, ...uncheckedBy(fields), ...step, assert: TO_BE_WRITTEN };
  }
  if (evaluators.length > 0)
    log.lost({
      what: 'evaluators',
      why: 'they judge the test as a whole, and a step test has checks in its steps only',
      from,
      at,
      value: evaluators,
    });
  const steps = fields['steps'] as readonly JsonObject[];
  if (steps.some(isChecked)) return fields;
  return {
    ...fields,
    ...uncheckedBy(fields),
    steps: steps.map((step) => ({ ...step, assert: TO_BE_WRITTEN })),
  };
}

/** A test must have a check, even if it is skipped until its author writes one. */
function uncheckedBy({ skip }: JsonObject): JsonObject {
  return { skip: skip ?? 'nothing to check yet' };
}

const TO_BE_WRITTEN = [{ type: 'llm_judge' }];

/** Whether checks are left. */
function isChecked({ assert, expected }: JsonObject): boolean {
  return expected !== undefined || (isJsonList(assert) ? assert.length > 0 : assert !== undefined);
}

/** The id of a row that has one is the whole id. A step test without an id has the name of its file before it. */
function idOfRows(item: JsonObject, { log, from, at }: CaseContext): { readonly id?: string } {
  const each = item['each'] ?? null;
  if (each === null || (item['id'] ?? null) !== null) return {};
  const hasIds = isJsonList(each) && each.every((row) => isJsonObject(row) && (row['id'] ?? '') !== '');
  if (hasIds) return { id: '{{id}}' };
  const message =
    'the rows are the ids of this test; in a step test the name of the file would come before them';
  log.broken({ code: 'default_ids', message, hint: 'give the test an `id`', from: [...from, 'each'] }, at);
  return {};
}

const WHY: Readonly<Record<string, string>> = {
  expected_outcome: 'a step test has no goal in words, and no judge that reads it',
};

/** What the file sets for the case. */
function sharedFields(item: JsonObject, document: JsonObject): JsonObject {
  const limits = { ...asObject(document['limits']), ...asObject(item['limits']) };
  const vars = { ...asObject(document['vars']), ...asObject(item['vars']) };
  const { repeats, pass_at_least } = resolveRepeats(repeatsOf(item), repeatsOf(document));
  return given({
    tags: item['tags'] ?? document['tags'] ?? undefined,
    limits: Object.keys(limits).length === 0 ? undefined : limits,
    vars: Object.keys(vars).length === 0 ? undefined : vars,
    repeats,
    pass_at_least,
    targets: targetsOf(item) ?? targetsOf(document),
  });
}

/** A step test names its targets in a list. */
function targetsOf(value: JsonObject): Json | undefined {
  const execution = asObject(value['execution']);
  const found = [execution['target'], execution['targets'], ...TARGET_FIELDS.map((name) => value[name])].find(
    (names) => names !== undefined && names !== null,
  );
  return found === undefined || isJsonList(found) ? found : [found];
}

function asObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function repeatsOf(value: JsonObject): { repeats?: number; pass_at_least?: PassAtLeast } {
  const { repeats, pass_at_least } = value;
  return {
    ...(typeof repeats === 'number' ? { repeats } : {}),
    ...(typeof pass_at_least === 'number' || typeof pass_at_least === 'string' ? { pass_at_least } : {}),
  };
}

function evaluatorsOf(item: JsonObject, document: JsonObject): readonly Json[] {
  const lists = [
    ...['evaluators', 'assertions'].map((name) => ownValue(asObject(item['execution']), name)),
    ...['evaluators', 'assertions', 'assert'].map((name) => ownValue(item, name)),
    ...['evaluators', 'assertions'].map((name) => ownValue(asObject(document['execution']), name)),
    ...['evaluators', 'assertions'].map((name) => ownValue(document, name)),
  ];
  const evaluators = lists.find(isJsonList) ?? [];
  const rubrics = item['rubrics'] ?? null;
  return rubrics === null ? evaluators : [...evaluators, { type: 'rubric', rubrics }];
}

function defaultEvaluator(item: JsonObject, document: JsonObject): JsonObject {
  return { type: item['evaluator'] ?? document['evaluator'] ?? 'llm_judge' };
}

function stepOf(
  step: JsonObject,
  context: CaseContext,
  evaluators?: readonly Json[],
): JsonObject | undefined {
  const { schemas, log, from, at } = context;
  const isCase = evaluators !== undefined;
  let assert = isCase ? evaluators : (step['assert'] ?? undefined);
  for (const key of ['expected_messages', 'expected_output']) {
    const value = step[key] ?? null;
    if (value === null) continue;
    log.lost({ what: key, why: 'a step has no `expected_messages`', from: [...from, key], at, value });
    const lost = comparing(assert, schemas.kinds);
    for (const type of lost)
      log.lost({ what: type, why: 'without `expected_messages` it has nothing to compare with', from, at });
    if (isJsonList(assert)) assert = assert.filter((each) => !lost.includes(typeOf(each) as string));
  }
  const checks = given({ assert, expected: isCase ? undefined : (step['expected'] ?? undefined) });
  if (!isCase)
    for (const [key, value] of Object.entries(step))
      if (value !== null && !OF_INPUT.has(key) && key !== 'assert' && key !== 'expected')
        log.lost({ what: key, why: 'a step has no such field', from: [...from, key], at, value });
  const input = inputOf(step, context);
  return input === undefined ? undefined : { input, ...checks };
}

/** The evaluators that compare the reply with the expected messages. */
function comparing(assert: Json | undefined, { evaluators }: AssertionKinds): readonly string[] {
  if (!isJsonList(assert)) return [];
  const types = new Set(assert.map(typeOf));
  const kinds = evaluators.filter(({ states, kind }) => states?.at === 'answer' || kind === 'field_accuracy');
  return kinds.map(({ kind }) => kind).filter((kind) => types.has(kind));
}

function typeOf(evaluator: Json): Json | undefined {
  return isJsonObject(evaluator) ? evaluator['type'] : undefined;
}

function inputOf(step: JsonObject, { log, from, at }: CaseContext): string | undefined {
  const name = (step['input_messages'] ?? null) === null ? 'input' : 'input_messages';
  const value = step[name] ?? null;
  const messages = isJsonList(value) ? value : [value];
  const [only] = messages;
  const text = messages.length === 1 ? userText(only!) : undefined;
  if (text !== undefined) return text;
  log.lost({
    what: name === 'input' ? 'input' : 'input_messages',
    why: ONE_TEXT,
    from: [...from, name],
    at,
    value,
  });
  return undefined;
}

const ONE_TEXT = 'a step takes one text of the user';

/** Undefined for anything but the plain text of a user. */
function userText(message: Json): string | undefined {
  if (typeof message === 'string') return message;
  if (!isJsonObject(message) || message['role'] !== 'user' || Object.keys(message).length !== 2)
    return undefined;
  return typeof message['content'] === 'string' ? message['content'] : undefined;
}
