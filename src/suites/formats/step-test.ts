import type { Assertion } from '../../base/model/assertion.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import type { Suite } from '../../base/model/suite.ts';
import type { Step, Test } from '../../base/model/test.ts';
import type { AssertionKinds } from '../../checks/contract/assertion-kinds.ts';
import { list } from '../../base/schema/list.ts';
import { object } from '../../base/schema/object.ts';
import { given } from '../../base/schema/refine.ts';
import { NOWHERE, Reader, type Source } from '../../base/schema/reader.ts';
import type { Schema } from '../../base/schema/schema.ts';
import { anyJson, jsonObject, text, wrongType } from '../../base/schema/values.ts';
import { fieldOfClaim, hintForClaim } from './claim-keys.ts';
import { datasetName } from './eval-file.ts';
import { lenientText } from './lenient-text.ts';
import { ListMemory } from './list-memory.ts';
import { resolveRepeats } from './repeat-fields.ts';
import { SHARED_FIELDS } from './shared-fields.ts';
import { mayHaveManyRows, type SuiteReading } from './suite-reading.ts';
import { hasTemplates, readTests } from './templates/read-tests.ts';
import type { RowFiles } from './templates/row-files.ts';
import { resolveTargets, TARGETS_FIELD } from './targets-field.ts';
import { TEMPLATE_FIELDS } from './templates/template-fields.ts';
import { UsedIds } from './used-ids.ts';
import { planWorkspace, workspaceFields, WORKSPACE_FIELDS } from './workspace-fields.ts';
import { ANSWER_FIELDS, readAnswer, replacedInput, type ReadAnswer } from './step-answer.ts';
import { checkFields, chooseChecks, createStep, refuseLaterSteps, warnAboutUncheckedSteps } from './step.ts';
import { warnAboutNewClaims } from './testhaven-claims.ts';

export type StepTestSchemas = ReturnType<typeof createStepTestSchemas>;

export function createStepTestSchemas(kinds: AssertionKinds) {
  const stepFields = {
    input: { schema: stepInput, doc: 'The message to the agent.', missing: 'missing_input' },
    ...checkFields(kinds),
  } as const;
  const fieldsOfStep = object(
    { ...stepFields, ...ANSWER_FIELDS, input: replacedInput(stepFields.input) },
    {
      what: 'a step',
      hintFor: hintForStepKey,
      belongsIn: fieldOfClaim,
    },
  );
  const step = {
    ...fieldsOfStep,
    read(value: Json, reader: Reader): Step | undefined {
      const read = fieldsOfStep.read(value, reader);
      return read === undefined ? undefined : readStep(value as JsonObject, reader, read);
    },
  };
  const testFields = {
    id: {
      schema: text({ nonEmpty: true }),
      doc: "Its name. Default: the file's name; in a list `name#1`, `name#2`, ...",
    },
    memory: { schema: jsonObject(), doc: 'What the agent remembers before the first step.' },
    targets: TARGETS_FIELD,
    ...SHARED_FIELDS,
    ...WORKSPACE_FIELDS,
    ...TEMPLATE_FIELDS,
    schema_version: {
      schema: anyJson('text or number'),
      doc: 'The version of the format the file was written for.',
    },
    $schema: { schema: text(), doc: 'The JSON Schema of this file, for editors.' },
  } as const;
  const steps = {
    schema: list(step, { nonEmpty: true, label: 'list of steps' }),
    doc: 'The steps, in order.',
    missing: 'missing_steps',
  } as const;
  return {
    kinds,
    step,
    test: object({ ...testFields, steps }, { what: 'a test with steps', hintFor: hintForTestKey }),
    singleTurn: object(
      { ...testFields, ...stepFields },
      { what: 'a single-turn test', hintFor: hintForEvalCaseKey, belongsIn: fieldOfClaim },
    ),
  };
}

/** A text, which may be empty: nothing is trimmed. */
const stepInput: Schema<string> = {
  ...text(),
  read(value, reader) {
    if (value === '') reader.warning({ code: 'empty_input', message: '`input` is empty' });
    return text().read(value, reader);
  },
};

function hintForStepKey(key: string): string | undefined {
  if (key === 'memory')
    return 'memory is given once, at the top of the test; after that the agent returns it';
  return hintForClaim(key);
}

function hintForTestKey(key: string): string | undefined {
  if (['input', 'assert', 'expected'].includes(key))
    return `a test with \`steps\` has its \`${key}\` in the steps`;
  return hintForEvalCaseKey(key);
}

const EVAL_CASE_KEYS = new Set([
  'expected_outcome',
  'expected_output',
  'expected_messages',
  'input_messages',
  'evaluators',
  'rubrics',
]);

function hintForEvalCaseKey(key: string): string | undefined {
  if (key === 'name') return 'the name of a test is its `id`';
  return EVAL_CASE_KEYS.has(key)
    ? 'that is a field of an eval case: eval cases stand in a list under `evalcases`'
    : hintForClaim(key);
}

/** One object is one test; a list holds independent tests. */
export function readStepTestFile(value: Json, source: Source, context: StepTestContext): SuiteReading {
  const items = Array.isArray(value) ? (value as readonly Json[]) : [value];
  const description = isJsonObject(value) ? describedAs(value) : undefined;
  return {
    suite: { ...stepTestSuite(source.file), ...(description === undefined ? {} : { description }) },
    mayBeLong: items.some(mayHaveManyRows),
    *tests() {
      const reader = new Reader(source);
      if (Array.isArray(value)) yield* readList(items, reader, context);
      else
        yield* readItem(value, reader, {
          ...context,
          name: testName(source.file),
          ids: new UsedIds(),
          end: () => Infinity,
        });
      return reader.findings;
    },
  };
}

/** The description of the only test of a file is that of the suite too, unless each row has its own. */
function describedAs(value: JsonObject): string | undefined {
  const { description } = hasTemplates(value, undefined) ? {} : value;
  return description === undefined ? undefined : lenientText.read(description, new Reader(NOWHERE));
}

export interface StepTestContext {
  readonly schemas: StepTestSchemas;
  readonly rowFiles: RowFiles;
}

/** What is known of a suite of step tests before its tests are. */
export function stepTestSuite(file: string): Pick<Suite, 'file' | 'format' | 'dataset'> {
  return { file, format: 'steps', dataset: testName(file) };
}

/** `booking.test.yaml` is the test `booking`. */
function testName(file: string): string {
  const name = datasetName(file);
  return name.replace(/\.test$/i, '') || name;
}

interface TestContext {
  readonly name: string;
  readonly schemas: StepTestSchemas;
}

function* readList(items: readonly Json[], reader: Reader, context: StepTestContext): Generator<Test> {
  const listReader = new StepTestListReader(reader, context);
  for (const [index, item] of items.entries())
    yield* listReader.read(item, () =>
      index + 1 < items.length ? reader.source.locate([index + 1], 'value').line : Infinity,
    );
  listReader.end();
}

interface ItemContext extends StepTestContext {
  readonly name: string;
  readonly ids: UsedIds;
  readonly end?: (() => number) | undefined;
}

/** The tests of the item at the reader. */
function readItem(
  item: Json,
  reader: Reader,
  { schemas, rowFiles, name, ids, end }: ItemContext,
): Generator<Test> {
  return readTests(item, reader, {
    context: { kinds: schemas.kinds, rowFiles, dialect: 'pyyaml' },
    defaultId: name,
    read(filled) {
      const test = readTest(filled, reader, { name, schemas });
      if (test === undefined) return undefined;
      return ids.add(test.id, test.place.line, reader) ? test : undefined;
    },
    end,
  });
}

/** Reads the tests of a list one by one. It remembers their ids and nothing else. */
export class StepTestListReader {
  private readonly reader: Reader;
  private readonly context: StepTestContext;
  private readonly name: string;
  private readonly ids = new UsedIds();
  private readonly memory: ListMemory;
  private index = 0;

  constructor(reader: Reader, context: StepTestContext) {
    this.reader = reader;
    this.context = context;
    this.memory = new ListMemory(context.schemas.kinds);
    this.name = testName(reader.source.file);
  }

  /** `end` is the line where the next item starts, if it is known. */
  *read(item: Json, end?: () => number): Generator<Test> {
    const { reader, context, ids } = this;
    const index = this.index++;
    reader.enter(index);
    let first: Test | undefined;
    for (const test of readItem(item, reader, { ...context, ids, name: `${this.name}#${index + 1}`, end })) {
      first ??= test;
      yield test;
    }
    reader.leave();
    this.memory.add(item, first, index);
  }

  /** Says what only the whole list shows. */
  end(): void {
    this.memory.warn(this.reader);
  }
}

function readTest(value: Json, reader: Reader, { name, schemas }: TestContext): Test | undefined {
  const errorsBefore = reader.errorCount;
  if (!isJsonObject(value))
    return wrongType(value, reader, { wanted: 'a test (an object with `steps` or `input`)' });
  const test = Object.hasOwn(value, 'steps')
    ? readTestWithSteps(value, reader, schemas)
    : readSingleTurn(value, reader, schemas);
  if (test === undefined) return undefined;
  const { read, steps } = test;
  refuseLaterSteps(read.stop_after, steps, reader);
  if (given(value, 'schema_version')) warnAboutNewClaims(steps, reader);
  if (reader.errorCount === errorsBefore) checkThatSomethingIsChecked(steps, reader);
  if (reader.errorCount > errorsBefore) return undefined;
  const [only] = steps.length === 1 ? steps : [];
  return {
    id: read.id ?? name,
    description: read.description,
    memory: read.memory,
    input_messages: only?.input_messages,
    expected_messages: only?.expected_messages,
    steps,
    assertions: [],
    ...resolveTargets(undefined, read.targets),
    ...resolveRepeats(read),
    limits: read.limits,
    approvals: read.approvals,
    stop_after: read.stop_after,
    faults: read.faults,
    workspace: planWorkspace(workspaceFields(read), reader),
    tags: read.tags ?? [],
    skip: read.skip === false ? undefined : read.skip,
    only: read.only === true ? true : undefined,
    vars: reader.vars,
    row: reader.row,
    place: reader.place(),
  };
}

function readTestWithSteps(value: JsonObject, reader: Reader, { test }: StepTestSchemas) {
  const read = test.read(value, reader);
  return read === undefined ? undefined : { read, steps: read.steps ?? [] };
}

function readSingleTurn(value: JsonObject, reader: Reader, { singleTurn }: StepTestSchemas) {
  const read = singleTurn.read(value, reader);
  return read === undefined ? undefined : { read, steps: [readStep(value, reader, read)] };
}

interface ReadStep extends ReadAnswer {
  readonly input?: string;
  readonly assert?: readonly Assertion[];
  readonly expected?: readonly Assertion[];
}

function readStep(authored: JsonObject, reader: Reader, read: ReadStep): Step {
  const assertions = chooseChecks(authored, read, reader);
  const approval = readAnswer(authored, read, reader);
  const input_messages = read.input === undefined ? [] : [{ role: 'user', content: read.input } as const];
  return createStep(authored, { input_messages, expected_messages: [], assertions, approval }, reader);
}

function checkThatSomethingIsChecked(steps: readonly Step[], reader: Reader): void {
  if (steps.every((step) => step.assertions.length === 0)) {
    reader.error({
      code: 'no_checks',
      message: 'nothing is checked: no step has `assert` or `expected`',
      hint: 'add `assert` to a step',
    });
    return;
  }
  warnAboutUncheckedSteps(steps, reader);
}
