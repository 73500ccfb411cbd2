import { basename, extname } from './path-names.ts';
import type { Finding } from '../model/finding.ts';
import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import type { Test } from '../model/test.ts';
import type { AssertionKinds } from '../assertions/contract/assertion-kinds.ts';
import { list } from '../schema/list.ts';
import { object, type ObjectOf } from '../schema/object.ts';
import { Reader, type Source } from '../schema/reader.ts';
import { given } from '../schema/refine.ts';
import type { Schema } from '../schema/schema.ts';
import { anyJson, text } from '../schema/values.ts';
import {
  defaultEvaluatorField,
  evalCaseSchema,
  executionSchema,
  thresholdField,
  UNKNOWN_FIELDS,
  type EvalCaseSchema,
} from './eval-case-schema.ts';
import { readEvalCase, warnAboutTwoLists, type CaseContext, type SuiteDefaults } from './eval-case.ts';
import { REPEAT_FIELDS } from './repeat-fields.ts';
import { SHARED_FIELDS } from './shared-fields.ts';
import type { SuiteReading } from './suite-reading.ts';
import { TemplateFiller } from './templates/fill-test.ts';
import { hasTemplates, readTests, readVars } from './templates/read-tests.ts';
import type { RowFiles } from './templates/row-files.ts';
import {
  createSharedEvaluators,
  evaluatorTemplates,
  withoutEvaluators,
} from './templates/shared-evaluators.ts';
import { VARS_FIELD } from './templates/template-fields.ts';
import { UsedIds } from './used-ids.ts';

/** The possible names of the list of cases. */
export const CASE_LISTS = ['evalcases', 'tests', 'cases'] as const;

/** What a file sets for all of its cases; a dataset's sidecar has the same fields. */
export function suiteFields(kinds: AssertionKinds) {
  return {
    description: SHARED_FIELDS.description,
    dataset: {
      schema: text({ nonEmpty: true }),
      doc: "The name that groups results. Default: the file's name.",
    },
    execution: { schema: executionSchema(kinds), doc: 'The target and the evaluators of every case.' },
    target: { schema: text({ nonEmpty: true }), doc: 'The target that runs the cases.' },
    evaluator: defaultEvaluatorField(kinds),
    evaluators: {
      schema: kinds.evaluatorList,
      doc: 'The evaluators of cases that have none of their own.',
      aliases: { assertions: kinds.evaluatorList },
      twice: 'error',
    },
    threshold: thresholdField,
    limits: SHARED_FIELDS.limits,
    vars: VARS_FIELD,
    ...REPEAT_FIELDS,
    tags: SHARED_FIELDS.tags,
    $schema: { schema: text(), doc: 'The JSON Schema of this file, for editors.' },
  } as const;
}

export function evalFileSchema<T>(kinds: AssertionKinds, evalCase: Schema<T>) {
  const cases = list(evalCase, { label: 'list of eval cases' });
  return object(
    {
      ...suiteFields(kinds),
      evalcases: {
        schema: cases,
        doc: 'The cases.',
        missing: 'missing_evalcases',
        aliases: { tests: cases, cases },
        twice: 'error',
      },
    },
    { what: 'an eval file', ...UNKNOWN_FIELDS, hintFor: hintForFileKey },
  );
}

function hintForFileKey(key: string): string | undefined {
  if (key === 'assert') return 'for the whole file it is called `evaluators`';
  if (['rubrics', 'steps', 'input', 'expected_outcome', 'expected_output'].includes(key))
    return `\`${key}\` belongs in a case`;
  return undefined;
}

export interface EvalFileSchemas {
  readonly kinds: AssertionKinds;
  readonly evalCase: EvalCaseSchema;
  /** The file without its cases: its own settings are read first. */
  readonly outline: ReturnType<typeof evalFileSchema<Json>>;
}

export function createEvalFileSchemas(kinds: AssertionKinds): EvalFileSchemas {
  return { kinds, evalCase: evalCaseSchema(kinds), outline: evalFileSchema(kinds, anyJson()) };
}

export function readEvalFile(
  value: Json,
  source: Source,
  { schemas, rowFiles }: { readonly schemas: EvalFileSchemas; readonly rowFiles: RowFiles },
): SuiteReading {
  const { dataset, description } = readOutline(value, new Reader(source), schemas);
  const cases = casesOf(value)?.cases ?? [];
  return {
    suite: {
      file: source.file,
      format: 'eval',
      dataset: dataset ?? datasetName(source.file),
      ...(description === undefined ? {} : { description }),
    },
    hasRowFiles: cases.some((authored) => typeof ownEach(authored) === 'string'),
    *tests() {
      const reader = new Reader(source);
      const { defaults } = readOutline(value, reader, schemas);
      yield* readCases(value, reader, { schema: schemas.evalCase, kinds: schemas.kinds, defaults, rowFiles });
      return hasTemplatesInside(value) ? unique(reader.findings) : reader.findings;
    },
  };
}

/** What a file says about all of its cases. */
function readOutline(value: Json, reader: Reader, { outline, kinds }: EvalFileSchemas) {
  const authored = hasTemplatesInside(value) ? evaluatorTemplates(value) : undefined;
  const plain = authored === undefined ? value : withoutEvaluators(value as JsonObject, authored);
  const read = outline.read(fillOutline(plain, reader, kinds), reader) ?? {};
  warnAboutTwoLists(value, reader);
  warnAboutTwoTargets(value, reader);
  return {
    dataset: read.dataset,
    description: read.description,
    defaults: {
      ...suiteDefaults(read),
      ...(authored === undefined
        ? {}
        : { evaluators: createSharedEvaluators(authored, reader.source, kinds) }),
      hasErrors: reader.errorCount > 0,
    },
  };
}

/** The variables of a file can be used in its own fields too, but not in its cases: those have more. */
export function fillOutline(value: Json, reader: Reader, kinds: AssertionKinds): Json {
  if (!isJsonObject(value) || !given(value, 'vars')) return value;
  const vars = readVars(value, reader);
  if (vars === undefined) return value;
  const filler = new TemplateFiller(vars, reader, kinds);
  return filler.file(value, CASE_LISTS);
}

function hasTemplatesInside(value: Json): boolean {
  if (given(value, 'vars')) return true;
  return casesOf(value)?.cases.some((authored) => hasTemplates(authored, undefined)) === true;
}

function ownEach(authored: Json): Json | undefined {
  return isJsonObject(authored) ? ownValue(authored, 'each') : undefined;
}

/** The evaluators of a file are read for each test, and may be wrong in the same way each time. */
function unique(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}

export function suiteDefaults(read: ObjectOf<ReturnType<typeof suiteFields>>): SuiteDefaults {
  const evaluators = read.execution?.evaluators ?? read.evaluators;
  const target = read.execution?.target ?? read.target;
  return {
    ...(evaluators === undefined ? {} : { evaluators: () => evaluators }),
    ...(read.evaluator === undefined ? {} : { evaluator: read.evaluator }),
    ...(target === undefined ? {} : { target }),
    ...(read.threshold === undefined ? {} : { threshold: read.threshold }),
    ...(read.repeats === undefined ? {} : { repeats: read.repeats }),
    ...(read.pass_at_least === undefined ? {} : { pass_at_least: read.pass_at_least }),
    ...(read.limits === undefined ? {} : { limits: read.limits }),
    ...(read.tags === undefined ? {} : { tags: read.tags }),
    ...(read.vars === undefined ? {} : { vars: read.vars }),
  };
}

export function warnAboutTwoTargets(value: Json, reader: Reader): void {
  if (!isJsonObject(value) || !given(value, 'target')) return;
  if (!given(ownValue(value, 'execution') ?? null, 'target')) return;
  const message = '`target` is ignored because `execution.target` is present too';
  reader.warning({ code: 'target_ignored', message, hint: 'keep one of them', at: ['target'], onKey: true });
}

export function datasetName(file: string): string {
  return basename(file).slice(0, -extname(file).length || undefined);
}

function casesOf(value: Json): { readonly name: string; readonly cases: readonly Json[] } | undefined {
  const name = CASE_LISTS.find((candidate) => given(value, candidate));
  const cases = name === undefined ? undefined : (value as JsonObject)[name];
  return name === undefined || !isJsonList(cases) ? undefined : { name, cases };
}

function* readCases(
  value: Json,
  reader: Reader,
  context: CaseContext & { readonly kinds: AssertionKinds; readonly rowFiles: RowFiles },
): Generator<Test> {
  const found = casesOf(value);
  if (found === undefined) return;
  const { name, cases } = found;
  const { kinds, rowFiles, defaults } = context;
  const ids = new UsedIds();
  const templates = { kinds, rowFiles, fileVars: defaults.vars, dialect: 'core' } as const;
  reader.enter(name);
  for (const [index, authored] of cases.entries()) {
    const end = (): number =>
      index + 1 < cases.length ? reader.source.locate([name, index + 1], 'value').line : Infinity;
    reader.enter(index);
    yield* readTests(authored, reader, {
      context: templates,
      read: (filled, row) => readUniqueCase(filled, reader, { ...context, ids, row }),
      end,
    });
    reader.leave();
  }
  if (cases.length === 0)
    reader.warning({ code: 'no_cases', message: `\`${name}\` is empty: there is nothing to run` });
  reader.leave();
}

function readUniqueCase(
  value: Json,
  reader: Reader,
  context: CaseContext & { readonly ids: UsedIds; readonly row: Place | undefined },
): Test | undefined {
  const test = readEvalCase(value, reader, context);
  const id = isJsonObject(value) ? ownValue(value, 'id') : undefined;
  if (typeof id !== 'string') return test;
  const { ids, row } = context;
  return ids.add(id, reader, { line: reader.place('id').line, row }) ? test : undefined;
}
