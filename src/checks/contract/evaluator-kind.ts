import type { JsonObject } from '../../base/model/json.ts';
import { byType } from '../../base/schema/by-type.ts';
import { foreignFields } from '../../base/schema/foreign-fields.ts';
import { object, type CompleteOf, type Field, type Fields, type ObjectOf } from '../../base/schema/object.ts';
import { refine, type Check } from '../../base/schema/refine.ts';
import type { Schema } from '../../base/schema/schema.ts';
import { boolean, number, oneOf, text } from '../../base/schema/values.ts';
import { toAssertionKind, type AssertionKind, type KindDefinition } from './assertion-kind.ts';

/** A kind of evaluator: an assertion in list form. */
export interface EvaluatorKind extends AssertionKind {
  /** Its score is 0 or 1, so that `negate` makes sense. */
  readonly isBinary: boolean;
  /** For a kind that states a claim: the highest score of a reply that breaks it. */
  partialScore?(parameters: JsonObject): number;
  /** Parameters that it has in files of AgentV 4 and newer, unless they are written: what it means there. */
  readonly inAgentv?: JsonObject | undefined;
  /** Its names elsewhere, for hints. */
  readonly otherNames: readonly string[];
  readonly schema: EvaluatorSchema;
  /** The fields besides its type. */
  readonly example: JsonObject;
  /** The file of a custom evaluator that a config names, from the root of the project. */
  readonly source?: string | undefined;
  /** The name of an assertion that has none. Default: the kind. */
  readonly defaultName?: string | undefined;
}

/** The fields of every evaluator, read; everything else are its parameters. */
export type ReadEvaluator = ObjectOf<typeof COMMON_FIELDS & typeof FOREIGN_FIELDS & typeof CLAIM_FIELDS> &
  JsonObject;

export interface EvaluatorSchema extends Schema<ReadEvaluator> {
  readonly fields: Fields;
}

interface EvaluatorDefinition<F, P> extends KindDefinition<P> {
  readonly isBinary?: boolean;
  partialScore?(parameters: P): number;
  readonly inAgentv?: JsonObject | undefined;
  readonly otherNames?: readonly string[];
  readonly fields: F;
  readonly example: JsonObject;
  /** Checks that the schemas of its fields cannot express. */
  readonly check?: Check<P>;
}

/** A kind of evaluator, from its fields: their types are those of its parameters. */
export function defineEvaluator<const F extends Fields>(
  definition: EvaluatorDefinition<F, CompleteOf<F>>,
): EvaluatorKind {
  return toKind(definition, 'error');
}

/** The same, with unknown keys passed on under `config`. */
export function defineConfigurable<const F extends Fields>(
  definition: EvaluatorDefinition<F, CompleteOf<F> & { readonly config?: JsonObject }>,
): EvaluatorKind {
  return toKind(definition, 'config');
}

function toKind<P>(
  {
    fields,
    check,
    example,
    isBinary = false,
    inAgentv,
    otherNames = [],
    ...definition
  }: EvaluatorDefinition<Fields, P>,
  unknown: 'error' | 'config',
): EvaluatorKind {
  const { kind } = definition;
  const all: Fields = {
    type: typeField([kind], { isBinary }),
    ...COMMON_FIELDS,
    // Where unknown keys are configuration, they were so under these names too.
    ...(unknown === 'error' ? FOREIGN_FIELDS : {}),
    ...(definition.partialScore === undefined ? {} : CLAIM_FIELDS),
    ...fields,
  };
  const schema = object(all, { what: `the evaluator \`${kind}\``, unknown }) as EvaluatorSchema;
  return {
    ...toAssertionKind(definition),
    isBinary,
    inAgentv,
    otherNames,
    example,
    schema: check === undefined ? schema : refine(schema, check as Check<unknown>),
  };
}

/** `type`, under its names and, for editors, under those of newer AgentV files. */
export function typeField(
  names: readonly string[],
  { isBinary }: { readonly isBinary: boolean },
): Field<string> {
  const hyphened = names.map((name) => name.replaceAll('_', '-'));
  const negated = isBinary ? hyphened.map((name) => `not-${name}`) : [];
  const schema = oneOf(names);
  return {
    schema: { ...schema, jsonSchema: { enum: [...new Set([...names, ...hyphened, ...negated])] } },
    doc: 'The kind of evaluator.',
    missing: 'missing_type',
    verbatim: 'all',
  };
}

/** The fields every evaluator has besides its own. */
export const COMMON_FIELDS = {
  name: { schema: text({ nonEmpty: true }), doc: 'Its name in results. Default: the type.' },
  weight: {
    schema: number({ min: 0 }),
    doc: 'Its weight in the mean. With 0 it is shown, but decides nothing. Default: 1.',
  },
  required: {
    schema: byType({ boolean: boolean(), number: number({ min: 0, max: 1 }) }),
    doc: 'The test fails when the score is below the threshold (`true`) or below this number.',
  },
  negate: { schema: boolean(), doc: 'Inverts a score of 0 or 1.' },
} as const satisfies Fields;

/** The fields of an evaluator that states a claim. */
export const CLAIM_FIELDS = {
  partial_credit: {
    schema: boolean(),
    doc: 'Let the mean decide: a score below 1 does not fail the test by itself. Default: false.',
  },
} as const satisfies Fields;

/** Fields of newer AgentV files that mean something else here, or nothing. */
export const FOREIGN_FIELDS = foreignFields({
  metric: { schema: text({ nonEmpty: true }), doc: 'AgentV: the same as `name`.' },
  id: { schema: text({ nonEmpty: true }), doc: 'AgentV: the name, if there is no `name`.' },
  min_score: {
    schema: number({ min: 0, max: 1 }),
    doc: 'AgentV: with `required: true`, the score that is required.',
  },
} as const);
