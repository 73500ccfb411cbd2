import { basename, extname } from './path-names.ts';
import type { Finding } from '../model/finding.ts';
import { isJsonObject, ownValue, type Json, type JsonObject } from '../model/json.ts';
import type { Suite } from '../model/suite.ts';
import type { Test } from '../model/test.ts';
import type { AssertionKinds } from '../assertions/contract/assertion-kinds.ts';
import { list } from '../schema/list.ts';
import { object, type ObjectOf } from '../schema/object.ts';
import { Reader, type Source } from '../schema/reader.ts';
import { given } from '../schema/refine.ts';
import type { Schema } from '../schema/schema.ts';
import { anyJson, quoteText, text } from '../schema/values.ts';
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
  if (['faults', 'rubrics', 'steps', 'input', 'expected_outcome', 'expected_output'].includes(key))
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
  schemas: EvalFileSchemas,
): { suite: Suite; findings: readonly Finding[] } {
  const reader = new Reader(source);
  const read = schemas.outline.read(value, reader) ?? {};
  warnAboutTwoLists(value, reader);
  warnAboutTwoTargets(value, reader);
  const defaults = { ...suiteDefaults(read), hasErrors: reader.errorCount > 0 };
  const tests = readCases(value, reader, { schema: schemas.evalCase, defaults });
  const suite: Suite = {
    file: source.file,
    format: 'eval',
    dataset: read.dataset ?? datasetName(source.file),
    ...(read.description === undefined ? {} : { description: read.description }),
    tests,
  };
  return { suite, findings: reader.findings };
}

export function suiteDefaults(read: ObjectOf<ReturnType<typeof suiteFields>>): SuiteDefaults {
  const evaluators = read.execution?.evaluators ?? read.evaluators;
  const target = read.execution?.target ?? read.target;
  return {
    ...(evaluators === undefined ? {} : { evaluators }),
    ...(read.evaluator === undefined ? {} : { evaluator: read.evaluator }),
    ...(target === undefined ? {} : { target }),
    ...(read.threshold === undefined ? {} : { threshold: read.threshold }),
    ...(read.repeats === undefined ? {} : { repeats: read.repeats }),
    ...(read.pass_at_least === undefined ? {} : { pass_at_least: read.pass_at_least }),
    ...(read.limits === undefined ? {} : { limits: read.limits }),
    ...(read.tags === undefined ? {} : { tags: read.tags }),
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

function readCases(value: Json, reader: Reader, context: CaseContext): readonly Test[] {
  const name = CASE_LISTS.find((candidate) => given(value, candidate));
  if (name === undefined) return [];
  const cases = (value as JsonObject)[name]!;
  if (!Array.isArray(cases)) return [];
  const tests: Test[] = [];
  const lines = new Map<string, number>();
  reader.enter(name);
  for (const [index, authored] of cases.entries()) {
    reader.enter(index);
    const test = readUniqueCase(authored, reader, { ...context, lines });
    reader.leave();
    if (test !== undefined) tests.push(test);
  }
  if (cases.length === 0)
    reader.warning({ code: 'no_cases', message: `\`${name}\` is empty: there is nothing to run` });
  reader.leave();
  return tests;
}

function readUniqueCase(
  value: Json,
  reader: Reader,
  context: CaseContext & { readonly lines: Map<string, number> },
): Test | undefined {
  const test = readEvalCase(value, reader, context);
  const id = isJsonObject(value) ? ownValue(value, 'id') : undefined;
  if (typeof id !== 'string') return test;
  const before = context.lines.get(id);
  if (before === undefined) {
    context.lines.set(id, reader.place('id').line);
    return test;
  }
  reportDuplicateId(id, before, reader);
  return undefined;
}

export function reportDuplicateId(id: string, line: number, reader: Reader): void {
  reader.error({
    code: 'duplicate_id',
    message: `the id ${quoteText(id)} is already used on line ${line}`,
    hint: 'give each test its own id',
    at: ['id'],
  });
}
