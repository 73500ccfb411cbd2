import type { Assertion } from '../../base/model/assertion.ts';
import {
  isJsonList,
  isJsonObject,
  ownValue,
  setOwn,
  type Json,
  type JsonObject,
} from '../../base/model/json.ts';
import {
  CLAIM_FIELDS,
  COMMON_FIELDS,
  FOREIGN_FIELDS,
  type EvaluatorKind,
  type ReadEvaluator,
} from './evaluator-kind.ts';
import type { EvaluatorNames, EvaluatorReading } from './evaluator-names.ts';
import type { Place } from '../../base/model/place.ts';
import { warnAboutNegatedMembers } from './negated-members.ts';
import { isSameJson } from '../../base/model/same-json.ts';
import { UNSUPPORTED_EVALUATORS } from './unsupported-evaluators.ts';
import { didYouMean, misspelledAs, quoteName } from '../../base/schema/did-you-mean.ts';
import { list } from '../../base/schema/list.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { given } from '../../base/schema/refine.ts';
import type { Schema } from '../../base/schema/schema.ts';
import { describe, wrongType } from '../../base/schema/values.ts';

/**
 * A list of evaluators. Their names are looked up when it reads, so that one of them may contain such a list. A text in
 * it is a rubric.
 */
export function evaluatorList(names: () => EvaluatorNames): Schema<readonly Assertion[]> {
  const known: KnownEvaluators = new Map();
  const items = list<Assertion>({
    label: 'evaluators',
    jsonSchema: { $ref: '#/definitions/evaluator' },
    read: (value, reader) => readKnown(value, reader, { names: names(), known }),
  });
  return {
    ...items,
    read(value, reader) {
      if (isJsonObject(value))
        return wrongType(value, reader, { wanted: 'a list of evaluators', hint: MAP_HINT });
      if (!isJsonList(value) || !value.some((item) => typeof item === 'string')) {
        const evaluators = items.read(value, reader);
        return evaluators === undefined ? undefined : nameApart(evaluators);
      }
      return nameApart(readWithRubrics(value, reader, names()));
    },
  };
}

/** By their type: a few that were read without a finding, as they were written and as they were read. */
type KnownEvaluators = Map<string, { readonly value: Json; readonly read: Assertion }[]>;

const MOST_OF_A_TYPE = 4;

/** The lines of a dataset mostly have the same evaluators: each is read once, and shared. In files of AgentV it may mean something else. */
function readKnown(
  value: Json,
  reader: Reader,
  { names, known }: { readonly names: EvaluatorNames; readonly known: KnownEvaluators },
): Assertion | undefined {
  const type = isJsonObject(value) ? ownValue(value, 'type') : undefined;
  // Templates tell in messages which variable a value came from.
  if (typeof type !== 'string' || reader.filled !== undefined) return readEvaluator(value, reader, names);
  const key = reader.isAgentv ? `agentv ${type}` : type;
  const ofType = known.get(key) ?? [];
  const same = ofType.find((each) => isSameJson(each.value, value))?.read;
  if (same !== undefined) return copyOf(same, { name: same.name, place: reader.place() });
  const findingsBefore = reader.findings.length;
  const read = readEvaluator(value, reader, names);
  // The members of another have places of their own, and the code of one in a file may change.
  const isPlain = read?.nests === undefined && read?.source === undefined;
  if (read === undefined || !isPlain || reader.findings.length > findingsBefore) return read;
  if (ofType.length === 0) known.set(key, ofType);
  // The first ones stay: another text in each line must not displace them.
  const index = Math.min(ofType.length, MOST_OF_A_TYPE - 1);
  ofType[index] = { value, read: copyOf(read, { name: read.name, place: NO_PLACE }) };
  return read;
}

/** Places hold the text of their line. */
const NO_PLACE: Place = { file: '', line: 1, column: 1 };

/** All texts are one evaluator, at the place of the first; its weight is their number, so that each counts as much as any other. */
function readWithRubrics(
  items: readonly Json[],
  reader: Reader,
  names: EvaluatorNames,
): readonly Assertion[] {
  const rubrics = items.filter((item): item is string => typeof item === 'string').map((item) => item.trim());
  const first = items.findIndex((item) => typeof item === 'string');
  const evaluators: Assertion[] = [];
  for (const [index, item] of items.entries()) {
    reader.enter(index);
    if (typeof item !== 'string') {
      const read = readEvaluator(item, reader, names);
      if (read !== undefined) evaluators.push(read);
    } else if (item.trim() === '')
      reader.error({
        code: 'empty',
        message: 'a rubric must not be empty',
        hint: 'describe what must be true',
      });
    else if (names.find(item.trim()) !== undefined)
      reader.error({
        code: 'bare_type',
        message: `${quoteName(item.trim())} is the name of an evaluator, but a string here is a rubric for a judge`,
        hint: `write { type: ${item.trim()}, ... }, or a whole sentence`,
      });
    else {
      if (/^(?:ref|file):\/\//.test(item.trim()))
        reader.unsupported({
          message: `evaluators that are written elsewhere (${quoteName(item.trim())}) are not supported`,
          hint: 'write them here, or repeat them by a YAML anchor',
        });
      if (index === first) evaluators.push(rubricsOf(rubrics, reader, names));
    }
    reader.leave();
  }
  return evaluators;
}

function rubricsOf(rubrics: readonly string[], reader: Reader, { kinds }: EvaluatorNames): Assertion {
  return {
    form: 'evaluator',
    kind: 'rubric',
    name: 'rubric',
    weight: rubrics.length,
    required: false,
    negate: false,
    parameters: withMeaning({ rubrics }, kinds.get('rubric'), reader),
    place: reader.place(),
  };
}

/** Claims and evaluators are easily confused. */
const MAP_HINT =
  'evaluators are a list: [{ type: contains, value: ... }]; claims such as `output.includes` go under `assert` of a step';

function readEvaluator(value: Json, reader: Reader, names: EvaluatorNames): Assertion | undefined {
  if (!isJsonObject(value))
    return wrongType(value, reader, {
      wanted: 'an evaluator (an object with a `type`), or a rubric as text',
    });
  const type = typeOf(value, reader, names);
  if (type === undefined) return undefined;
  if (Object.hasOwn(UNSUPPORTED_EVALUATORS, type) && !names.kinds.has(type))
    return keepUnsupported(value, type, reader);
  const reading = names.find(type);
  if (reading === undefined) return reportUnknown(type, reader, names);
  const { kind, schema } = reading;
  const errorsBefore = reader.errorCount;
  const read = schema.read(reading.type === type ? value : asKnown(value, reading), reader);
  if (read === undefined || reader.errorCount > errorsBefore) return undefined;
  const isPlain = read.negate !== true && !reading.isNegated;
  const negate = !isPlain && isNegated({ ...reading, authored: value }, read, reader);
  if (negate) checkNegated(value, kind, reader);
  if (reader.isAgentv && type === 'composite') warnAboutNegatedMembers(read, kind, reader);
  const required = requiredScore(read, reader);
  warnAboutRequired(read, reader);
  return {
    form: 'evaluator',
    kind: kind.kind,
    name: read.name ?? read.metric ?? read.id ?? kind.defaultName ?? kind.kind,
    weight: read.weight ?? 1,
    required,
    needsFullScore: needsFullScore(read, kind, required) ? true : undefined,
    negate,
    parameters: withMeaning(withoutCommonFields(read), kind, reader),
    nests: kind.nests?.field,
    source: kind.source,
    place: reader.place(),
  };
}

/** In files of AgentV 4 and newer, the parameters that say what it means there. */
function withMeaning(
  parameters: JsonObject,
  kind: Pick<EvaluatorKind, 'inAgentv'> | undefined,
  { isAgentv }: Reader,
): JsonObject {
  return isAgentv && kind?.inAgentv !== undefined ? { ...kind.inAgentv, ...parameters } : parameters;
}

/** The evaluator with the type that its schema knows. Places are found by key, so they stay the same. */
function asKnown(
  value: JsonObject,
  { type, isNegated: isInName, readsNegation }: EvaluatorReading,
): JsonObject {
  return {
    ...value,
    type,
    ...(isInName && readsNegation && !given(value, 'negate') ? { negate: true } : {}),
  };
}

function isNegated(
  {
    kind,
    type,
    isNegated: isInName,
    readsNegation,
    authored,
  }: EvaluatorReading & { readonly authored: JsonObject },
  { negate = false }: ReadEvaluator,
  reader: Reader,
): boolean {
  if ((negate || isInName) && !kind.isBinary && !readsNegation)
    reader.error({
      code: 'negate',
      message: `${quoteName(type)} cannot be negated: its score is not just 0 or 1`,
      ...(kind.kind === 'tool_trajectory' ? { hint: 'name the tools under `forbidden` or `maximums`' } : {}),
      at: [negate ? 'negate' : 'type'],
    });
  if (negate && isInName && (!readsNegation || given(authored, 'negate')))
    reader.error({
      code: 'negate',
      message: '`not-` in the type and `negate: true` negate the evaluator twice',
      hint: 'keep one of them',
      at: ['negate'],
    });
  return !readsNegation && (negate || isInName);
}

/** Data in the place of a matcher never matches, so that a negated evaluator would hold for nearly every value. */
function checkNegated(value: JsonObject, { schema }: EvaluatorKind, reader: Reader): void {
  for (const [name, field] of Object.entries(schema.fields)) {
    if (field.schema.checkNegated === undefined || !given(value, name)) continue;
    reader.enter(name);
    field.schema.checkNegated(value[name]!, reader);
    reader.leave();
  }
}

/** AgentV writes `required: true, min_score: 0.9` for `required: 0.9`. */
function requiredScore(
  { required = false, min_score: least }: ReadEvaluator,
  reader: Reader,
): boolean | number {
  if (least === undefined) return required;
  // AgentV does not read a 0, which would require nothing.
  if (required === true) return least === 0 ? true : least;
  reader.unsupported({
    message: '`min_score` has no effect without `required: true`',
    hint: `write required: ${least}, or remove it`,
    at: ['min_score'],
  });
  return required;
}

/** A claim must hold in full, unless its author chose a score. */
function needsFullScore(
  { weight, partial_credit }: ReadEvaluator,
  { partialScore }: EvaluatorKind,
  required: boolean | number,
): boolean {
  return (
    partialScore !== undefined && weight !== 0 && partial_credit !== true && typeof required !== 'number'
  );
}

/** With its own name and fields, for `show`: the file has an error and does not run. */
function keepUnsupported(value: JsonObject, type: string, reader: Reader): Assertion {
  reader.unsupported({
    message: `the evaluator ${quoteName(type)} is not supported`,
    hint: UNSUPPORTED_EVALUATORS[type],
    at: ['type'],
  });
  const own = (name: string): Json | undefined => ownValue(value, name);
  const name = ['name', 'metric'].map(own).find((each) => typeof each === 'string');
  return {
    form: 'evaluator',
    kind: type,
    name: typeof name === 'string' ? name : type,
    weight: typeof own('weight') === 'number' ? (own('weight') as number) : 1,
    required: own('required') === true,
    negate: own('negate') === true,
    parameters: withoutCommonFields(value),
    place: reader.place(),
  };
}

/** Every score reaches 0, and an evaluator of weight 0 never decides. */
function warnAboutRequired({ required, weight }: JsonObject, reader: Reader): void {
  const why =
    required === 0
      ? '`required: 0` has no effect: every score reaches it'
      : required !== undefined && required !== false && weight === 0
        ? '`required` has no effect with `weight: 0`: this evaluator never decides'
        : undefined;
  if (why !== undefined)
    reader.warning({
      code: 'without_effect',
      message: why,
      hint: required === 0 ? 'write required: true, or the score it needs' : 'remove one of them',
      at: ['required'],
    });
}

function typeOf(value: JsonObject, reader: Reader, names: EvaluatorNames): string | undefined {
  const type = ownValue(value, 'type');
  if (typeof type === 'string') return type;
  if (type !== undefined && type !== null) {
    reader.error({
      code: 'unknown_evaluator',
      message: `\`type\` must be the name of an evaluator, but is ${describe(type)}`,
      hint: listed(names),
      at: ['type'],
    });
    return undefined;
  }
  if (typeof ownValue(value, 'include') === 'string') {
    reader.error({
      code: 'unsupported_feature',
      message: 'templates of evaluators (`include`) are not supported',
      hint: 'copy the evaluators of the template here',
      at: ['include'],
      onKey: true,
    });
    return undefined;
  }
  reader.error({
    code: 'missing_type',
    message: 'an evaluator needs `type`',
    hint: hintForType(value, names),
  });
  return undefined;
}

function hintForType(value: JsonObject, names: EvaluatorNames): string {
  const keys = Object.keys(value);
  const shorthand = keys.find((key) => names.find(key) !== undefined);
  if (shorthand !== undefined) return `write \`type: ${shorthand}\`, with its parameters next to it`;
  const claim = keys.find((key) => /^(?:output|memory|tools_used)(?:\.|$)/.test(key));
  if (claim !== undefined)
    return `${quoteName(claim)} is a claim, and claims are not a list: write it without "- "`;
  return misspelledAs('type', value) ?? listed(names);
}

function reportUnknown(type: string, reader: Reader, names: EvaluatorNames): undefined {
  reader.error({
    code: 'unknown_evaluator',
    message: `unknown evaluator ${quoteName(type)}`,
    hint: names.explain(type) ?? didYouMean(type, names.suggested) ?? listed(names),
    at: ['type'],
  });
}

function listed({ kinds }: EvaluatorNames): string {
  return `the types are ${[...kinds.keys()].map(quoteName).join(', ')}`;
}

const COMMON_NAMES: ReadonlySet<string> = new Set([
  'type',
  ...Object.keys(COMMON_FIELDS),
  ...Object.keys(FOREIGN_FIELDS),
  ...Object.keys(CLAIM_FIELDS),
]);

function withoutCommonFields(read: JsonObject): JsonObject {
  const parameters: Record<string, Json> = {};
  for (const key of Object.keys(read)) {
    if (!COMMON_NAMES.has(key)) setOwn(parameters, key, read[key]!);
  }
  return parameters;
}

/** A second evaluator of the same name is `name#2`, so that results can tell them apart. */
export function nameApart(evaluators: readonly Assertion[]): readonly Assertion[] {
  if (evaluators.length < 2) return evaluators;
  const taken = new Set(evaluators.map(({ name }) => name));
  const counts = new Map<string, number>();
  return evaluators.map((evaluator) => {
    let count = (counts.get(evaluator.name) ?? 0) + 1;
    // An author may have named one `contains#2`.
    while (count > 1 && taken.has(`${evaluator.name}#${count}`)) count++;
    counts.set(evaluator.name, count);
    if (count === 1) return evaluator;
    return copyOf(evaluator, { name: `${evaluator.name}#${count}`, place: evaluator.place });
  });
}

/** Every field by name: a copy by spreading is several times as slow. */
function copyOf(evaluator: Assertion, { name, place }: Pick<Assertion, 'name' | 'place'>): Assertion {
  const { form, kind, weight, required, needsFullScore: full, negate, parameters, nests, source } = evaluator;
  return {
    form,
    kind,
    name,
    weight,
    required,
    needsFullScore: full,
    negate,
    parameters,
    nests,
    source,
    place,
  };
}
