import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../../base/model/json.ts';
import { messageProblem } from '../checked-messages.ts';
import { hasReference, suiteOfCases } from '../chosen-check.ts';
import { ConversionLog } from '../conversion-log.ts';
import type { Conversion, ConvertContext, ConvertOptions, ForeignFile } from '../contract.ts';
import { fieldOf, given, otherFields, type ForeignValue } from '../foreign-value.ts';
import { readExamples } from '../json-lines.ts';
import { uncheckedCase } from '../unchecked-case.ts';
import { UniqueIds } from '../unique-ids.ts';
import { withVars } from '../with-vars.ts';
import { readMessages } from './langchain-message.ts';

/** The examples of a LangSmith dataset. */
export function convertLangsmith(file: ForeignFile, { options }: ConvertContext): Conversion {
  const { values, locate, findings } = readExamples(file);
  const log = new ConversionLog(locate);
  const reading: Reading = { log, options, ids: new UniqueIds(log), cases: [] };
  for (const [index, value] of values.entries()) {
    if (value !== undefined) readExample({ value, path: [index] }, reading);
    else log.comment(['evalcases', reading.cases.length], `not converted: example ${index + 1} is not JSON`);
  }
  return suiteOfCases(reading.cases, { options, log, findings });
}

interface Reading {
  readonly log: ConversionLog;
  readonly options: ConvertOptions;
  readonly ids: UniqueIds;
  readonly cases: JsonObject[];
}

const EXAMPLE: ReadonlySet<string> = new Set(['inputs', 'outputs', 'metadata', 'split', 'id']);
/** What LangSmith knows about an example, not what the example says. */
const OF_THE_SERVICE: ReadonlySet<string> = new Set([
  'dataset_id',
  'created_at',
  'modified_at',
  'source_run_id',
  'attachment_urls',
  'dataset',
]);

function readExample(example: ForeignValue, { log, options, ids, cases }: Reading): void {
  const at = ['evalcases', cases.length];
  const input = choose(example, { side: 'inputs', path: options.input, option: '--input' }, log);
  const output = choose(example, { side: 'outputs', path: options.expected, option: '--expected' }, log);
  if (input === undefined || output === undefined) {
    log.comment(at, `not converted: example ${Number(example.path[0]) + 1}`);
    return;
  }
  const asked = input.value === undefined ? undefined : inputFields(input.value);
  if (asked === undefined) {
    const message = 'this example has no input that is a string or a list of messages';
    log.broken({ code: 'missing_input', message, from: input.from }, at);
    return;
  }
  const { split, metadata } = readRest(example, output.rest, log);
  const fields = given({
    id: ids.add(idOf(example, options.id) || `#${Number(example.path[0]) + 1}`, example.path),
    ...asked,
    ...(output.value === undefined ? {} : expectedFields(output.value)),
    tags: split,
    metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
  });
  const checked = hasReference(fields) ? fields : uncheckedCase(fields, log, example.path);
  if (Object.keys(input.rest).length > 0)
    log.warn({
      code: 'only_variables',
      message: `the agent gets ${input.name} only; the other inputs are kept in \`vars\``,
      hint: `write {{${Object.keys(input.rest)[0]}}} where it should be`,
      from: input.from,
    });
  cases.push(withVars(checked, input.rest));
  for (const other of otherFields(example, EXAMPLE)) {
    const what = String(other.path.at(-1));
    if (!OF_THE_SERVICE.has(what)) log.lostField(other, { at: [...at, what] });
  }
}

/** The id of the service, or the value that `--id` names. */
function idOf(example: ForeignValue, path = 'id'): string | undefined {
  const found = path
    .split('.')
    .reduce<Json | undefined>(
      (inner, name) => (isJsonObject(inner) ? inner[name] : undefined),
      example.value,
    );
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined;
}

interface Side {
  readonly side: 'inputs' | 'outputs';
  readonly path: string | undefined;
  readonly option: string;
}

interface Choice {
  /** Undefined: there is none. */
  readonly value: Json | undefined;
  readonly name: string;
  /** The other values of this side. */
  readonly rest: JsonObject;
  readonly from: ForeignValue['path'];
}

/** The value of one side: the only one, or the one that the mapping names. Undefined if that is open. */
function choose(example: ForeignValue, { side, path, option }: Side, log: ConversionLog): Choice | undefined {
  const field = fieldOf(example, side);
  const values = isJsonObject(field?.value) ? field.value : {};
  const keys = Object.keys(values);
  const from = field?.path ?? example.path;
  if (keys.length === 0) return { value: undefined, name: side, rest: {}, from };
  const mapped = path?.replace(new RegExp(`^${side}\\.`), '');
  const key = mapped?.split('.')[0] ?? (keys.length === 1 ? keys[0]! : undefined);
  if (key === undefined) {
    log.broken(
      {
        code: 'choose_mapping',
        message: `\`${side}\` has ${keys.length} values (${keys.join(', ')}), and nothing says which one to use`,
        hint: `name it: ${option} ${side}.${keys[0]}`,
        from,
      },
      ['evalcases'],
    );
    return undefined;
  }
  const { [key]: _chosen, ...others } = values;
  // Beside a value deeper inside, its siblings are kept too.
  const rest = mapped?.includes('.') === true ? values : others;
  const value = (mapped ?? key)
    .split('.')
    .reduce<Json | undefined>((inner, name) => (isJsonObject(inner) ? inner[name] : undefined), values);
  return { value: value ?? undefined, name: `${side}.${mapped ?? key}`, rest, from: [...from, key] };
}

function inputFields(value: Json): JsonObject | undefined {
  if (typeof value === 'string') return value === '' ? undefined : { input: value };
  const messages = readMessages(value);
  return messages === undefined || messageProblem(messages, 'input') !== undefined
    ? undefined
    : { input_messages: messages };
}

/** `generations` is the answer of a model as LangChain keeps it. */
function expectedFields(value: Json): JsonObject {
  const first = isJsonList(value) ? value[0] : undefined;
  const generated = isJsonObject(first) ? first['message'] : undefined;
  const messages = readMessages(generated ?? value);
  if (messages !== undefined && messageProblem(messages, 'expected') === undefined)
    return { expected_messages: messages };
  if (typeof value === 'number' || typeof value === 'boolean') return { expected_output: String(value) };
  return { expected_output: value };
}

function readRest(
  example: ForeignValue,
  outputs: JsonObject,
  log: ConversionLog,
): { readonly split: readonly string[] | undefined; readonly metadata: JsonObject } {
  const field = fieldOf(example, 'metadata');
  const own = isJsonObject(field?.value) ? field.value : {};
  const split = fieldOf(example, 'split')?.value;
  const splits = (isJsonList(split) ? split : [split]).filter(
    (name) => typeof name === 'string' && name !== '',
  );
  const isClash = Object.hasOwn(own, 'outputs') && Object.keys(outputs).length > 0;
  if (isClash)
    log.lost({
      what: 'metadata.outputs',
      why: 'the other outputs are kept under this name',
      from: [...field!.path, 'outputs'],
      at: ['evalcases'],
      value: own['outputs'],
    });
  const metadata = Object.keys(outputs).length === 0 ? own : { ...own, outputs };
  return { split: splits.length === 0 ? undefined : (splits as string[]), metadata };
}
