import type { Assertion } from '../../base/model/assertion.ts';
import type { Json, JsonObject } from '../../base/model/json.ts';
import { formatPath } from '../../base/model/place.ts';
import type { MessagePlaces, Test } from '../../base/model/test.ts';
import { byType } from '../../base/schema/by-type.ts';
import { list } from '../../base/schema/list.ts';
import { object } from '../../base/schema/object.ts';
import { Reader, type Source } from '../../base/schema/reader.ts';
import type { Infer } from '../../base/schema/schema.ts';
import { anyJson, boolean, number, text } from '../../base/schema/values.ts';
import { datasetName } from './eval-file.ts';
import { createStep } from './step.ts';
import type { SuiteReading } from './suite-reading.ts';
import { UsedIds } from './used-ids.ts';

const sentences = list(text({ nonEmpty: true }), { label: 'list of sentences' });

const skillEval = object(
  {
    id: {
      schema: byType({ string: text({ nonEmpty: true }), number: number({ integer: true }) }),
      doc: 'Its name. Default: its position.',
    },
    prompt: { schema: text({ nonEmpty: true }), doc: 'What the user asks.', missing: 'missing_input' },
    expected_output: { schema: text(), doc: 'A good answer in words: its `expected_outcome`.' },
    assertions: { schema: sentences, doc: 'What must be true: rubrics.' },
    expectations: { schema: sentences, doc: 'The same.' },
    files: {
      schema: list(text({ nonEmpty: true }), { label: 'list of paths' }),
      doc: 'Text files that the agent gets with the prompt. Paths are relative to the folder of the skill.',
    },
    should_trigger: { schema: boolean(), doc: 'Whether the agent must use the skill, or must not.' },
  },
  { what: 'an eval of a skill' },
);

const skillEvals = object(
  {
    skill_name: { schema: text({ nonEmpty: true }), doc: 'The skill; kept in `metadata`.' },
    evals: { schema: list(anyJson(), { nonEmpty: true }), doc: 'The evals.' },
  },
  { what: 'an `evals.json` of a skill' },
);

/** The evals of an agent skill: `evals.json`. */
export function readSkillEvals(value: Json, source: Source): SuiteReading {
  return {
    suite: { file: source.file, format: 'eval', dataset: datasetName(source.file) },
    mayBeLong: false,
    *tests() {
      const reader = new Reader(source);
      const { skill_name: skill, evals = [] } = skillEvals.read(value, reader) ?? {};
      const ids = new UsedIds();
      reader.enter('evals');
      for (const [index, item] of evals.entries()) {
        reader.enter(index);
        const test = readSkillEval(item, reader, { skill, position: index + 1 });
        if (test !== undefined && ids.add(test.id, test.place.line, reader)) yield test;
        reader.leave();
      }
      return reader.findings;
    },
  };
}

/** A test from the eval at the reader, or undefined if something in it is wrong. */
function readSkillEval(
  value: Json,
  reader: Reader,
  { skill, position }: { readonly skill: string | undefined; readonly position: number },
): Test | undefined {
  const errorsBefore = reader.errorCount;
  const read = skillEval.read(value, reader);
  if (read === undefined || reader.errorCount > errorsBefore) return undefined;
  const rubrics = [...(read.assertions ?? []), ...(read.expectations ?? [])];
  const expected_outcome = read.expected_output?.trim() === '' ? undefined : read.expected_output;
  if (rubrics.length === 0 && expected_outcome === undefined && read.should_trigger === undefined) {
    reader.error({
      code: 'missing_expected_outcome',
      message: 'this eval checks nothing: it needs `expected_output` or `assertions`',
      hint: 'describe a good answer in words',
    });
    return undefined;
  }
  return createTest(value as JsonObject, read, { reader, rubrics, expected_outcome, skill, position });
}

interface EvalParts {
  readonly reader: Reader;
  readonly rubrics: readonly string[];
  readonly expected_outcome: string | undefined;
  readonly skill: string | undefined;
  readonly position: number;
}

function createTest(
  value: JsonObject,
  { id, prompt = '', files = [], should_trigger }: Infer<typeof skillEval>,
  { reader, rubrics, expected_outcome, skill, position }: EvalParts,
): Test {
  const input_messages = [{ role: 'user', content: skillInput(prompt, files, reader.source.file) }] as const;
  const { file } = reader.source;
  const assertions = [
    ...(rubrics.length > 0 ? [judge('rubric', { rubrics }, reader)] : []),
    ...(rubrics.length === 0 && expected_outcome !== undefined ? [judge('llm_judge', {}, reader)] : []),
    ...(should_trigger === undefined
      ? []
      : [judge('skill_used', triggerParameters(skill, file, should_trigger), reader)]),
  ];
  const created = createStep(value, { input_messages, expected_messages: [], assertions }, reader);
  const step = { ...created, places: placesOfFiles(created.places, reader) };
  return {
    id: String(id ?? position),
    expected_outcome,
    input_messages: step.input_messages,
    expected_messages: [],
    steps: [step],
    assertions: [],
    tags: [],
    metadata: skill === undefined ? undefined : { skill_name: skill },
    place: reader.place(),
  };
}

/** A prompt and its files, as the content of one message. */
function skillInput(prompt: string, files: readonly string[], evalsFile: string): Json {
  if (files.length === 0) return prompt;
  const parts = files.map((name) => ({ type: 'file', value: skillPath(name, evalsFile) }));
  return [{ type: 'text', value: prompt }, ...parts];
}

/** The path from `evals.json` to a file of its skill: `my-skill/evals/evals.json` belongs to `my-skill`. */
export function skillPath(name: string, evalsFile: string): string {
  return evalsFile.split(/[/\\]/).at(-2) === 'evals' ? `../${name}` : name;
}

/** The first part of the message is the prompt; the others are the authored `files`. */
function placesOfFiles(places: MessagePlaces, reader: Reader): MessagePlaces {
  const { source } = reader;
  const evalPath = reader.path.slice();
  return {
    input_messages: places.input_messages,
    expected_messages: places.expected_messages,
    inside(messages, index, below) {
      const part = below[1];
      if (messages !== 'input_messages' || typeof part !== 'number' || part === 0)
        return places.inside(messages, index, below);
      const path = [...evalPath, 'files', part - 1];
      return { file: source.file, ...source.locate(path, 'value'), path: formatPath(path) };
    },
  };
}

/** The skill that must be used, or must not: the one of the file, or of the folder `skills/NAME`; else any skill. */
export function triggerParameters(
  skill: string | undefined,
  file: string,
  shouldTrigger: boolean,
): { readonly value: string; readonly max?: number } {
  const folders = file.split(/[/\\]/).slice(0, -1);
  const position = folders.lastIndexOf('skills');
  const value = skill ?? (position === -1 ? undefined : folders[position + 1]) ?? '*';
  return shouldTrigger ? { value } : { value, max: 0 };
}

function judge(kind: string, parameters: JsonObject, reader: Reader): Assertion {
  const common = { form: 'evaluator', weight: 1, required: false, negate: false } as const;
  return { ...common, kind, name: kind, parameters, place: reader.place() };
}
