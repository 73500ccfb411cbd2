import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import type { JsonSchema, Schema } from '../../schema/schema.ts';
import { wrongType } from '../../schema/values.ts';
import { checkMatchers } from './check-matchers.ts';
import { checkNegatedValue } from './negated-data.ts';
import { MATCHERS } from './registry.ts';
import { WITHIN, withinSchema } from './table/numbers.ts';

/** The name of the JSON Schema of an expected value in the published schemas. */
export const COMPARABLE = 'comparable';

export const COMPARABLE_REFERENCE: JsonSchema = { $ref: `#/definitions/${COMPARABLE}` };

interface ComparableOptions {
  /** The arguments of a tool. */
  readonly of?: 'arguments';
}

/** An expected value: any JSON, with matchers in it or in its place. */
export function comparable({ of }: ComparableOptions = {}): Schema<Json> {
  return {
    label: 'any value, or a matcher',
    jsonSchema: COMPARABLE_REFERENCE,
    read(value, reader) {
      checkMatchers(value, reader, of === undefined ? {} : { isArgument: true, isAlwaysThere: 'part' });
      return value;
    },
    checkNegated: checkNegatedValue,
  };
}

/** The same for an object. */
export function comparableObject({ of }: ComparableOptions = {}): Schema<JsonObject> {
  return {
    label: 'object',
    jsonSchema: { type: 'object', allOf: [COMPARABLE_REFERENCE] },
    read(value, reader) {
      if (!isJsonObject(value)) return wrongType(value, reader, { wanted: 'an object (keys and values)' });
      checkMatchers(value, reader, { isArgument: of === 'arguments', isAlwaysThere: 'part' });
      return value;
    },
  };
}

/** The JSON Schema behind the name: a mapping of matchers only, or data with such values in it. */
export function comparableJsonSchema(): JsonSchema {
  const matchers = [...MATCHERS.values()];
  const names = matchers.map(({ name }) => name);
  const properties = Object.fromEntries(
    matchers.map(({ name, doc, schema, inner }) => [
      name,
      { description: doc, ...argumentSchema(schema, inner) },
    ]),
  );
  return {
    if: {
      type: 'object',
      propertyNames: { enum: [...names, WITHIN] },
      anyOf: names.map((name) => ({ required: [name] })),
    },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: {
      properties: {
        ...properties,
        [WITHIN]: { description: 'How far a number may be from `$approx`.', ...withinSchema.jsonSchema },
      },
      dependencies: { $approx: [WITHIN] },
    },
    else: { additionalProperties: COMPARABLE_REFERENCE, items: COMPARABLE_REFERENCE },
  };
}

function argumentSchema({ jsonSchema }: Schema<unknown>, inner: 'value' | 'items' | undefined): JsonSchema {
  if (inner === undefined) return jsonSchema;
  return inner === 'items'
    ? { ...jsonSchema, items: COMPARABLE_REFERENCE }
    : { allOf: [jsonSchema, COMPARABLE_REFERENCE] };
}
