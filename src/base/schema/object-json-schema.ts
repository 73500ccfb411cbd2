import { quoteName } from './did-you-mean.ts';
import type { Fields } from './object.ts';
import type { JsonSchema, Schema } from './schema.ts';

/** The JSON Schema of an object. An unknown key is refused unless it may be there. */
export function objectJsonSchema(
  fields: Fields,
  { unknown = 'error' }: { readonly unknown?: 'error' | 'warning' | 'config' },
): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const conditions: JsonSchema[] = [];
  for (const [field, definition] of Object.entries(fields)) {
    const {
      schema,
      doc,
      aliases = {},
      missing,
      optionalBeside = [],
      replacedBy = [],
      null: nullMeans,
      isForeign,
    } = definition;
    const nullable = nullMeans === 'absent' || (nullMeans === undefined && missing === undefined);
    const property = { nullable, isForeign };
    properties[field] = describeProperty(schema, doc, property);
    for (const [alias, aliasSchema] of Object.entries(aliases)) {
      properties[alias] = describeProperty(aliasSchema, `${doc} (same as ${quoteName(field)})`, property);
    }
    const names = [field, ...Object.keys(aliases)];
    const oneOfThese = names.concat(optionalBeside, replacedBy).map((name) => ({ required: [name] }));
    if (missing !== undefined) conditions.push({ anyOf: oneOfThese });
  }
  return {
    type: 'object',
    properties,
    ...(conditions.length === 0 ? {} : { allOf: conditions }),
    ...(unknown === 'error' ? { additionalProperties: false } : {}),
  };
}

interface Property {
  readonly nullable: boolean;
  readonly isForeign?: boolean | undefined;
}

function describeProperty(
  schema: Schema<unknown>,
  doc: string,
  { nullable, isForeign = false }: Property,
): JsonSchema {
  return {
    description: doc,
    // A keyword of editors: the field is accepted, but not proposed.
    ...(isForeign ? { doNotSuggest: true } : {}),
    ...(nullable ? orNull(schema.jsonSchema) : schema.jsonSchema),
  };
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  if (typeof type === 'string') return { ...schema, type: [type, 'null'] };
  if (Array.isArray(type)) return { ...schema, type: [...type, 'null'] };
  return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] };
}
