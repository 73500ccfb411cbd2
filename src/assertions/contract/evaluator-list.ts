import type { Assertion } from '../../model/assertion.ts';
import { isJsonObject, ownValue, setOwn, type Json, type JsonObject } from '../../model/json.ts';
import { COMMON_FIELDS, type EvaluatorKind } from './evaluator-kind.ts';
import { didYouMean, quoteName } from '../../schema/did-you-mean.ts';
import { list } from '../../schema/list.ts';
import type { Reader } from '../../schema/reader.ts';
import type { Schema } from '../../schema/schema.ts';
import { describe, wrongType } from '../../schema/values.ts';

/** The kinds that a list may contain. */
export interface EvaluatorLookup {
  /** By the names that suites use. */
  readonly named: ReadonlyMap<string, EvaluatorKind>;
  /** A kind for any other type, if there is one: an evaluator in a file, or one whose code was not read. */
  other(type: string): EvaluatorKind | undefined;
  /** What is wrong with a type that looks like a file. */
  explain(type: string): string | undefined;
}

/**
 * A list of evaluators of these kinds. The kinds are looked up when it reads, so that one of them may contain such
 * a list.
 */
export function evaluatorList(lookup: () => EvaluatorLookup): Schema<readonly Assertion[]> {
  const item: Schema<Assertion> = {
    label: 'evaluators',
    jsonSchema: { $ref: '#/definitions/evaluator' },
    read: (value, reader) => readEvaluator(value, reader, lookup()),
  };
  const items = list(item);
  return {
    ...items,
    read(value, reader) {
      if (isJsonObject(value))
        return wrongType(value, reader, { wanted: 'a list of evaluators', hint: MAP_HINT });
      const evaluators = items.read(value, reader);
      return evaluators === undefined ? undefined : nameApart(evaluators);
    },
  };
}

/** Claims and evaluators are easily confused. */
const MAP_HINT =
  'evaluators are a list: [{ type: contains, value: ... }]; claims such as `output.includes` go under `assert` of a step';

function readEvaluator(value: Json, reader: Reader, lookup: EvaluatorLookup): Assertion | undefined {
  if (!isJsonObject(value))
    return wrongType(value, reader, { wanted: 'an evaluator (an object with a `type`)' });
  const kind = kindOf(value, reader, lookup);
  if (kind === undefined) return undefined;
  const errorsBefore = reader.errorCount;
  const read = kind.schema.read(value, reader);
  if (read === undefined || reader.errorCount > errorsBefore) return undefined;
  if (read.negate === true && !kind.isBinary) {
    reader.error({
      code: 'negate',
      message: `${quoteName(kind.kind)} cannot be negated: its score is not just 0 or 1`,
      at: ['negate'],
    });
  }
  warnAboutRequired(read, reader);
  return {
    form: 'evaluator',
    kind: kind.kind,
    name: read.name ?? kind.defaultName ?? kind.kind,
    weight: read.weight ?? 1,
    required: read.required ?? false,
    negate: read.negate === true,
    parameters: withoutCommonFields(read),
    nests: kind.nests?.field,
    source: kind.source,
    place: reader.place(),
  };
}

/** Every score reaches 0, and an evaluator of weight 0 never decides. */
function warnAboutRequired({ required, weight }: JsonObject, reader: Reader): void {
  const why =
    required === 0
      ? '`required: 0` has no effect: every score reaches it'
      : required !== undefined && required !== false && weight === 0
        ? '`required` has no effect beside `weight: 0`: this evaluator never decides'
        : undefined;
  if (why !== undefined)
    reader.warning({
      code: 'without_effect',
      message: why,
      hint: required === 0 ? 'write required: true, or the score it needs' : 'remove one of them',
      at: ['required'],
    });
}

function kindOf(
  value: JsonObject,
  reader: Reader,
  { named: kinds, other, explain }: EvaluatorLookup,
): EvaluatorKind | undefined {
  const type = ownValue(value, 'type');
  if (type === undefined || type === null) {
    const shorthand = Object.keys(value).find((key) => kinds.has(key));
    reader.error({
      code: 'missing_type',
      message: 'an evaluator needs `type`',
      hint:
        shorthand === undefined
          ? `the types are ${[...kinds.keys()].join(', ')}`
          : `write type: ${shorthand}, and its parameters beside it`,
    });
    return undefined;
  }
  const kind = typeof type === 'string' ? (kinds.get(type) ?? other(type)) : undefined;
  if (kind !== undefined) return kind;
  const listed = `the types are ${[...kinds.keys()].join(', ')}`;
  if (typeof type !== 'string') {
    reader.error({
      code: 'unknown_evaluator',
      message: `\`type\` must be the name of an evaluator, but is ${describe(type)}`,
      hint: listed,
      at: ['type'],
    });
    return undefined;
  }
  const meant = [...kinds.values()].find(({ otherNames }) => otherNames.includes(type.replaceAll('-', '_')));
  reader.error({
    code: 'unknown_evaluator',
    message: `unknown evaluator ${quoteName(type)}`,
    hint:
      explain(type) ??
      (meant === undefined ? didYouMean(type, kinds.keys()) : `it is called ${quoteName(meant.kind)} here`) ??
      listed,
    at: ['type'],
  });
  return undefined;
}

function withoutCommonFields(read: JsonObject): JsonObject {
  const parameters: Record<string, Json> = {};
  for (const key of Object.keys(read)) {
    if (key !== 'type' && !Object.hasOwn(COMMON_FIELDS, key)) setOwn(parameters, key, read[key]!);
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
    return count === 1 ? evaluator : renamed(evaluator, `${evaluator.name}#${count}`);
  });
}

/** Every field by name: a copy by spreading is several times as slow. */
function renamed(evaluator: Assertion, name: string): Assertion {
  const { form, kind, weight, required, negate, parameters, nests, source, place } = evaluator;
  return { form, kind, name, weight, required, negate, parameters, nests, source, place };
}
