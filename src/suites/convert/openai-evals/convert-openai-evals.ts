import { isJsonList, type Json, type JsonObject } from '../../../base/model/json.ts';
import type { Finding } from '../../../base/model/finding.ts';
import { ConversionLog } from '../conversion-log.ts';
import type { Conversion, ConvertContext, ForeignFile } from '../contract.ts';
import { fieldOf, given, otherFields, textOf, type ForeignValue } from '../foreign-value.ts';
import { messageProblem } from '../checked-messages.ts';
import { readJsonLines } from '../json-lines.ts';
import { uncheckedCase } from '../unchecked-case.ts';
import { CLASSES } from './ideal-check.ts';
import { entryOf, readRegistry, type RegistryEntry } from './registry-entry.ts';

/** Samples of OpenAI's evals, or a registry that names them. */
export function convertOpenaiEvals(file: ForeignFile, context: ConvertContext): Conversion {
  if (!/\.jsonl$/i.test(file.path)) return convertRegistry(file, context);
  const registry = context.options.registry && readRegistry(context.options.registry);
  const entry = registry && entryOf(file.path, registry.entries);
  const findings = registry ? registry.findings : [];
  const chosen = context.options.class ?? entry?.class;
  if (chosen === undefined) return { suite: undefined, findings: [...findings, noClass(file.path)] };
  const read = readSamples(file, { class: chosen, entry, ignoresCase: context.options.ignoreCase });
  return { ...read, findings: [...findings, ...read.findings] };
}

function noClass(file: string): Finding {
  return {
    severity: 'error',
    code: 'choose_mapping',
    message: 'the samples do not say how answers are compared',
    hint: `name the class with --class ${Object.keys(CLASSES).join('|')}, or the registry with --registry FILE`,
    file,
    line: 1,
    column: 1,
    path: '',
  };
}

function convertRegistry(file: ForeignFile, { readText, options }: ConvertContext): Conversion {
  const { entries, findings } = readRegistry(file);
  const [entry, ...others] = entries;
  if (entry === undefined) return { suite: undefined, findings };
  const log = new ConversionLog(entry.locate);
  for (const { name } of others)
    log.lost({ what: name, why: 'convert the samples of each eval on its own', from: [name], at: [] });
  const samples = entry.args['samples_jsonl'];
  const text = typeof samples === 'string' ? readText(samples) : undefined;
  if (text === undefined) {
    const message = `the samples ${String(samples)} are not next to this file`;
    const hint = 'name the samples themselves, and this file with --registry';
    log.broken({ code: 'file_reference', message, hint, from: [entry.name, 'args', 'samples_jsonl'] }, []);
    return { suite: undefined, findings: [...findings, ...log.findings] };
  }
  const folder = file.path.slice(0, Math.max(file.path.lastIndexOf('/'), file.path.lastIndexOf('\\')) + 1);
  const read = readSamples(
    { path: `${folder}${String(samples)}`, text },
    { class: options.class ?? entry.class, ignoresCase: options.ignoreCase, entry },
  );
  if (read.suite === undefined)
    return { ...read, findings: [...findings, ...log.findings, ...read.findings] };
  const suite = { ...read.suite, comments: [...log.comments, ...read.suite.comments] };
  return { suite, findings: [...findings, ...log.findings, ...read.findings] };
}

interface Judging {
  readonly class: string;
  readonly entry: RegistryEntry | undefined;
  readonly ignoresCase: boolean | undefined;
}

const SAMPLE_FIELDS: ReadonlySet<string> = new Set(['input', 'ideal']);
const KNOWN_ARGS: ReadonlySet<string> = new Set(['samples_jsonl', 'ignore_case']);

function readSamples(file: ForeignFile, judging: Judging): Conversion {
  const { values, locate, findings } = readJsonLines(file);
  const log = new ConversionLog(locate);
  const args = new ConversionLog(judging.entry?.locate ?? locate);
  const check = CLASSES[judging.class];
  if (check === undefined)
    log.lost({
      what: `class ${judging.class}`,
      why: `only ${Object.keys(CLASSES).join(', ')} are converted`,
      from: [],
      at: [],
    });
  if (judging.entry !== undefined) reportArgs(judging.entry, args);
  const cases: JsonObject[] = [];
  for (const [index, value] of values.entries()) {
    if (value === undefined) {
      log.comment(['evalcases', cases.length], `not converted: sample ${index + 1} is not JSON`);
      continue;
    }
    const sample = { value, path: [index] };
    const read = readSample(sample, { log, judging, position: cases.length, id: `#${index + 1}` });
    if (read !== undefined) cases.push(read);
  }
  const comments = [...args.comments, ...log.comments];
  return {
    suite: { document: { evalcases: cases }, comments },
    findings: [...args.findings, ...findings, ...log.findings],
  };
}

/** Examples that are put before each sample, numbers of answers, and the like. */
function reportArgs({ name, args }: RegistryEntry, log: ConversionLog): void {
  for (const [key, value] of Object.entries(args)) {
    if (KNOWN_ARGS.has(key) || value === null) continue;
    log.lost({
      what: `args.${key}`,
      why: 'Assay has no such setting',
      from: [name, 'args', key],
      at: [],
      value,
    });
  }
}

interface SampleContext {
  readonly log: ConversionLog;
  readonly judging: Judging;
  readonly position: number;
  readonly id: string;
}

function readSample(
  sample: ForeignValue,
  { log, judging, position, id }: SampleContext,
): JsonObject | undefined {
  const at = ['evalcases', position];
  const input = fieldOf(sample, 'input');
  const message = inputProblem(input?.value);
  if (input === undefined || message !== undefined) {
    log.broken({ code: 'missing_input', message: message!, from: input?.path ?? sample.path }, at);
    return undefined;
  }
  for (const other of otherFields(sample, SAMPLE_FIELDS)) {
    log.lostField(other, { at: [...at, String(other.path.at(-1))] });
  }
  const ideal = fieldOf(sample, 'ideal');
  const ideals = idealsOf(ideal?.value);
  if (isJsonList(ideal?.value) && ideals.length > 0 && ideals.length < ideal.value.length)
    log.lost({
      what: 'an empty ideal answer',
      why: 'a check with an empty text would accept every answer, or none',
      from: ideal.path,
      at: [...at, 'evaluators'],
    });
  const fields = given({
    id,
    input: textOf(input),
    input_messages: isJsonList(input.value) ? input.value : undefined,
  });
  const check = CLASSES[judging.class];
  const checked =
    check === undefined || ideals.length === 0
      ? undefined
      : check(ideals, judging.ignoresCase === true || judging.entry?.args['ignore_case'] === true);
  if (checked !== undefined && 'evaluator' in checked) {
    if (checked.lost !== undefined)
      log.lost({ what: 'FuzzyMatch', why: checked.lost, from: ideal!.path, at: [...at, 'evaluators'] });
    if (checked.note !== undefined) {
      log.warn({ code: 'left_out', message: checked.note, from: ideal!.path });
      log.comment([...at, 'evaluators'], checked.note);
    }
    return { ...fields, evaluators: [checked.evaluator] };
  }
  if (checked !== undefined)
    log.broken({ code: 'not_readable', message: checked.problem, from: ideal!.path }, [...at, 'evaluators']);
  const reference = ideals.length === 0 ? {} : { expected_output: ideals[0]! };
  return uncheckedCase({ ...fields, ...reference }, log, sample.path);
}

/** Why this is not an input; undefined if it is. */
function inputProblem(value: Json | undefined): string | undefined {
  if (typeof value === 'string' && value !== '') return undefined;
  if (!isJsonList(value) || value.length === 0)
    return 'this sample has no `input`: a string or a list of messages';
  return messageProblem(value, 'input');
}

function idealsOf(value: Json | undefined): readonly string[] {
  if (value === undefined) return [];
  const list = isJsonList(value) ? value : [value];
  return list
    .filter((item) => item !== null && item !== '')
    .map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
}
