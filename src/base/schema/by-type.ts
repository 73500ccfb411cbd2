import { jsonTypeOf, type JsonType } from '../model/json.ts';
import type { Schema } from './schema.ts';
import { wrongType } from './values.ts';

/** A value that may have several types: the schema for its type reads it. */
export function byType<const Shapes extends Partial<Record<JsonType, Schema<unknown>>>>(
  shapes: Shapes,
  { hint }: { readonly hint?: string } = {},
): Schema<Shapes[keyof Shapes] extends Schema<infer T> ? T : never> {
  const schemas = Object.values(shapes) as Schema<never>[];
  const label = [...new Set(schemas.map((schema) => schema.label))].join(', or ');
  return {
    label,
    get jsonSchema() {
      return { anyOf: schemas.map((schema) => schema.jsonSchema) };
    },
    read(value, reader) {
      const schema = shapes[jsonTypeOf(value)] as Schema<never> | undefined;
      if (schema !== undefined) return schema.read(value, reader);
      return wrongType(value, reader, { wanted: label, ...(hint === undefined ? {} : { hint }) });
    },
  };
}
