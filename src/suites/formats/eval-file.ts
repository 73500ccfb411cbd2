import { basename, extname } from './path-names.ts';
import { eachOnce } from '../../base/model/finding.ts';
import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { Test } from '../../base/model/test.ts';
import type { AssertionKinds } from '../../checks/contract/assertion-kinds.ts';
import { quoteName } from '../../base/schema/did-you-mean.ts';
import { list } from '../../base/schema/list.ts';
import { mapOf, object } from '../../base/schema/object.ts';
import { Reader, type Source } from '../../base/schema/reader.ts';
import { given } from '../../base/schema/refine.ts';
import type { Schema } from '../../base/schema/schema.ts';
import { anyJson, text } from '../../base/schema/values.ts';
import {
  defaultEvaluatorField,
  evalCaseSchema,
  fileExecution,
  thresholdField,
  UNKNOWN_FIELDS,
  type EvalCaseSchema,
} from './eval-case-schema.ts';
import { readEvalCase, warnAboutTwoLists, type CaseContext } from './eval-case.ts';
import { agentvSuiteFields } from './agentv/suite-fields.ts';
import { AgentvVerdicts } from './agentv/mean-decides.ts';
import { isWrittenForAgentv } from './agentv/recognise-agentv.ts';
import { atReference, expandCases, isReference } from './agentv/case-files.ts';
import { withDefaultTest } from './agentv/default-test.ts';
import { readPrompts, type SuitePrompt } from './agentv/prompts.ts';
import { REPEAT_FIELDS } from './repeat-fields.ts';
import { suiteDefaults, withDefaultVars } from './suite-defaults.ts';
import { SHARED_FIELDS } from './shared-fields.ts';
import { mayHaveManyRows, type SuiteReading } from './suite-reading.ts';
import { EVAL_TARGETS_FIELD, refuseTwoTargets, warnAboutUnusedTargets } from './targets-field.ts';
import { TemplateFiller } from './templates/fill-test.ts';
import { hasTemplates, readTests } from './templates/read-tests.ts';
import type { RowFiles } from './templates/row-files.ts';
import { evaluatorTemplates } from './templates/shared-evaluators.ts';
import { VARS_FIELD, WRONG_NAMES } from './templates/template-fields.ts';
import { UsedIds } from './used-ids.ts';
import { WORKSPACE_FIELDS } from './workspace-fields.ts';

/** The possible names of the list of cases. */
export const CASE_LISTS = ['evalcases', 'tests', 'cases'] as const;

/** A map of names to words, as in newer AgentV files, is a list of `name:word`. */
const suiteTags: Schema<readonly string[]> = {
  ...SHARED_FIELDS.tags.schema,
  jsonSchema: { anyOf: [SHARED_FIELDS.tags.schema.jsonSchema, { type: 'object' }] },
  read(value, reader) {
    if (!isJsonObject(value)) return SHARED_FIELDS.tags.schema.read(value, reader);
    const words = mapOf(text({ nonEmpty: true })).read(value, reader) ?? {};
    return Object.entries(words).map(([name, word]) => `${name}:${word}`);
  },
};

/** What a file sets for all of its cases; a dataset's sidecar has the same fields. */
export function suiteFields(kinds: AssertionKinds) {
  return {
    description: SHARED_FIELDS.description,
    dataset: {
      schema: text({ nonEmpty: true }),
      doc: "The name that groups results. Default: the file's name.",
    },
    execution: { schema: fileExecution(kinds), doc: 'The target and the evaluators of every case.' },
    target: { schema: text({ nonEmpty: true }), doc: 'The target that runs the cases.' },
    targets: EVAL_TARGETS_FIELD,
    evaluator: defaultEvaluatorField(kinds),
    evaluators: {
      schema: kinds.evaluatorList,
      doc: 'The evaluators of cases that have none.',
    },
    threshold: thresholdField,
    limits: SHARED_FIELDS.limits,
    ...WORKSPACE_FIELDS,
    approvals: SHARED_FIELDS.approvals,
    stop_after: SHARED_FIELDS.stop_after,
    vars: VARS_FIELD,
    ...REPEAT_FIELDS,
    tags: { schema: suiteTags, doc: SHARED_FIELDS.tags.doc },
    ...agentvSuiteFields(kinds),
    $schema: { schema: text(), doc: 'The JSON Schema of this file, for editors.' },
  } as const;
}

export function evalFileSchema<T>(kinds: AssertionKinds, evalCase: Schema<T>) {
  const cases = caseList(evalCase);
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
    {
      what: 'an eval file',
      ...UNKNOWN_FIELDS,
      refused: { ...WRONG_NAMES, each: '`each` belongs in a case' },
      hintFor: hintForFileKey,
    },
  );
}

/** A list of cases, or the path of files with them; an item may be such a path too. */
function caseList<T>(evalCase: Schema<T>): Schema<readonly T[] | string> {
  const reference = text({ nonEmpty: true, label: 'path of a file of cases' });
  const item: Schema<T | string> = {
    ...evalCase,
    jsonSchema: { anyOf: [evalCase.jsonSchema, reference.jsonSchema] },
    read: (value, reader) => (isReference(value) ? reference : evalCase).read(value, reader),
  };
  const items = list(item, { label: 'list of eval cases' });
  return {
    label: 'list of eval cases, or the path of a file with them',
    jsonSchema: { anyOf: [items.jsonSchema, reference.jsonSchema] },
    read: (value, reader) =>
      (typeof value === 'string' ? reference : items).read(value, reader) as
        | readonly T[]
        | string
        | undefined,
  };
}

function hintForFileKey(key: string): string | undefined {
  if (['faults', 'rubrics', 'steps', 'expected_outcome', 'expected_output'].includes(key))
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
  authored: Json,
  source: Source,
  { schemas, rowFiles }: { readonly schemas: EvalFileSchemas; readonly rowFiles: RowFiles },
): SuiteReading {
  const opened = withDefaultTest(authored, source.file, rowFiles.cases);
  const value = withDefaultVars(opened.value);
  const isAgentv = isWrittenForAgentv(value, schemas.kinds) || rowFiles.agentvProject?.() === 'newer';
  const { dataset, description } = readOutline(value, new Reader(source), schemas);
  const cases = casesOf(value)?.cases ?? [];
  return {
    suite: {
      file: source.file,
      format: 'eval',
      dataset: dataset ?? datasetName(source.file),
      ...(description === undefined ? {} : { description }),
      ...(isAgentv ? { written_for: 'agentv' } : {}),
    },
    mayBeLong: isJsonList(cases) && cases.some(mayHaveManyRows),
    *tests() {
      const reader = new Reader(source);
      reader.isAgentv = isAgentv;
      if (opened.problem !== undefined) reader.error({ ...opened.problem, at: ['default_test'] });
      const { defaults } = readOutline(value, reader, schemas);
      const shared = defaults.targets?.targets;
      let [tests, isUsed] = [0, false];
      const verdicts = new AgentvVerdicts(schemas.kinds, rowFiles.agentvProject);
      const context = { schema: schemas.evalCase, kinds: schemas.kinds, defaults, rowFiles };
      for (const test of readCases(value, reader, context)) {
        tests++;
        isUsed ||= test.targets === shared;
        yield verdicts.apply(test, reader);
      }
      if (shared !== undefined && tests > 0 && !isUsed) warnAboutUnusedTargets(value, reader);
      return hasTemplatesInside(value) ? eachOnce(reader.findings) : reader.findings;
    },
  };
}

/** What a file says about all of its cases. */
function readOutline(value: Json, reader: Reader, { outline, kinds }: EvalFileSchemas) {
  const templates = hasTemplatesInside(value) ? evaluatorTemplates(value) : NO_TEMPLATES;
  const read = outline.read(fillOutline(templates.plain ?? value, reader, kinds), reader) ?? {};
  warnAboutTwoLists(value, reader);
  checkTwoTargets(value, reader);
  const defaults = suiteDefaults(read, reader, { value, kinds, templates });
  return {
    dataset: read.dataset ?? read.name,
    description: read.description,
    defaults: { ...defaults, hasErrors: reader.errorCount > 0 },
  };
}

const NO_TEMPLATES = { plain: undefined, added: [] };

/** The variables of a file can be used in its own fields too, but not in its cases: those have more. */
export function fillOutline(value: Json, reader: Reader, kinds: AssertionKinds): Json {
  const vars = isJsonObject(value) ? ownValue(value, 'vars') : undefined;
  // Its schema reports what is not an object.
  if (!isJsonObject(value) || !isJsonObject(vars)) return value;
  const filler = new TemplateFiller(vars, reader, kinds);
  return filler.file(value, [...CASE_LISTS, ...SHARED_TEMPLATES]);
}

/** Fields of a file that are filled in for each test. */
const SHARED_TEMPLATES = ['input', 'prompts', 'default_test'];

/** Cases in other files may have variables too. */
function hasTemplatesInside(value: Json): boolean {
  if (given(value, 'vars')) return true;
  const cases = casesOf(value)?.cases ?? [];
  if (!isJsonList(cases)) return true;
  return cases.some((authored) => typeof authored === 'string' || hasTemplates(authored, undefined));
}

export function checkTwoTargets(value: Json, reader: Reader): void {
  refuseTwoTargets(value, reader);
  if (!isJsonObject(value) || !given(value, 'target')) return;
  if (!given(ownValue(value, 'execution') ?? null, 'target')) return;
  const message = '`target` is ignored because `execution.target` is present too';
  reader.warning({ code: 'target_ignored', message, hint: 'keep one of them', at: ['target'], onKey: true });
}

export function datasetName(file: string): string {
  return basename(file).slice(0, -extname(file).length || undefined);
}

/** The cases; a text names files with them. */
function casesOf(
  value: Json,
): { readonly name: string; readonly cases: readonly Json[] | string } | undefined {
  const name = CASE_LISTS.find((candidate) => given(value, candidate));
  const cases = name === undefined ? undefined : (value as JsonObject)[name];
  return name === undefined || !(isJsonList(cases) || typeof cases === 'string')
    ? undefined
    : { name, cases };
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
  const ids = new UsedIds(reader.source.file);
  const templates = { kinds, rowFiles, fileVars: defaults.vars, dialect: 'core' } as const;
  const prompts = given(value, 'prompts')
    ? readPrompts((value as JsonObject)['prompts']!, reader, { kinds, files: rowFiles.cases })
    : undefined;
  if (given(value, 'prompts') && prompts === undefined) return;
  const several = prompts !== undefined && prompts.length > 1;
  reader.enter(name);
  const expansion = { kinds, files: rowFiles.cases, chain: [reader.source.file] };
  for (const placed of expandCases(cases, reader, expansion)) {
    const { value: authored, reader: at, end } = placed;
    for (const prompt of prompts ?? [undefined])
      for (const test of readTests(authored, at, {
        context: templates,
        read: (filled) => readUniqueCase(filled, at, { ...context, ids, prompt, several }),
        end,
      }))
        yield atReference(test, placed);
  }
  if (cases.length === 0)
    reader.warning({ code: 'no_cases', message: `\`${name}\` is empty: there is nothing to run` });
  reader.leave();
}

interface UniqueCase extends Omit<CaseContext, 'prompt'> {
  readonly ids: UsedIds;
  readonly prompt: SuitePrompt | undefined;
  /** There are several prompts: a case is a test with each of them. */
  readonly several: boolean;
}

function readUniqueCase(authored: Json, reader: Reader, context: UniqueCase): Test | undefined {
  const { ids, prompt, several } = context;
  const own = isJsonObject(authored) ? ownValue(authored, 'id') : undefined;
  const id = typeof own === 'string' && several ? `${own}__prompt_${prompt!.id}` : own;
  const value = id === own ? authored : { ...(authored as JsonObject), id: id! };
  if (prompt !== undefined) refuseLists(reader);
  const test = readEvalCase(value, reader, { ...context, prompt: prompt?.input });
  if (typeof id !== 'string') return test;
  return ids.add(id, reader.place('id').line, reader) ? test : undefined;
}

/** In AgentV such a variable stands for several tests, here it is a list. */
function refuseLists(reader: Reader): void {
  for (const [name, value] of Object.entries(reader.vars ?? {}))
    if (isJsonList(value) && typeof value[0] === 'string')
      reader.unsupported({
        message: `the variable ${quoteName(name)} is a list: tests for each of its values are not supported`,
        hint: 'write `each`, with a row for each value',
        at: ['vars', name],
      });
}
