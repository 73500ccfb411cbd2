import type { Json, JsonObject } from '../../base/model/json.ts';
import type { JsonSchema } from '../../base/model/described.ts';
import { closest, quoteName } from '../../base/schema/did-you-mean.ts';
import { object, type Fields } from '../../base/schema/object.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { anyJson } from '../../base/schema/values.ts';
import { COMMON_FIELDS, type EvaluatorSchema, type ReadEvaluator } from '../contract/evaluator-kind.ts';

interface OwnFields {
  readonly kind: string;
  readonly jsonSchema?: JsonSchema | undefined;
  /** Reports what is wrong with the fields that are not common to all evaluators. */
  check(fields: JsonObject, reader: Reader): void;
}

/** The schema of a custom evaluator: the fields of every evaluator, and its own as they were written. */
export function ownFields({ kind, jsonSchema, check }: OwnFields): EvaluatorSchema {
  const fields: Fields = {
    type: {
      schema: anyJson('text'),
      doc: 'The kind of evaluator.',
      missing: 'missing_type',
      verbatim: 'all',
    },
    ...COMMON_FIELDS,
  };
  const common = object(fields, { what: `the evaluator ${quoteName(kind)}`, unknown: 'config' });
  return {
    ...common,
    jsonSchema: withOwn(common.jsonSchema, kind, jsonSchema),
    read(value, reader) {
      const read = common.read(value, reader) as
        | (ReadEvaluator & { readonly config?: JsonObject })
        | undefined;
      if (read === undefined) return undefined;
      const { config: own = {}, ...rest } = read;
      check(own, reader);
      return { ...own, ...rest } as ReadEvaluator;
    },
  };
}

/** An evaluator without a schema takes any field; one that looks like a misspelled common field is worth a word. */
export function warnAboutMisspelled(fields: JsonObject, reader: Reader): void {
  for (const key of Object.keys(fields)) {
    const meant = closest(key, Object.keys(COMMON_FIELDS));
    if (meant !== undefined)
      reader.warning({
        code: 'misspelled_field',
        message: `${quoteName(key)} is passed on to the evaluator, which has no schema`,
        hint: `did you mean ${quoteName(meant)}?`,
        at: [key],
        onKey: true,
      });
  }
}

function withOwn(common: JsonSchema, kind: string, own: JsonSchema | undefined): JsonSchema {
  const { properties = {}, required = [] } = (own ?? {}) as {
    readonly properties?: Readonly<Record<string, Json>>;
    readonly required?: readonly string[];
  };
  return {
    ...common,
    properties: { ...(common['properties'] as object), type: { enum: [kind] }, ...properties },
    required: ['type', ...required],
    ...(own === undefined || own['additionalProperties'] !== undefined
      ? {}
      : { additionalProperties: false }),
  } as JsonSchema;
}
