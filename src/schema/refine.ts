import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import type { Reader } from './reader.ts';
import type { Schema } from './schema.ts';

/** A schema with one more check, made on what its author wrote, after the schema itself found nothing wrong. */
export function refine<T, S extends Schema<T>>(
  schema: S,
  check: (authored: Json, reader: Reader) => void,
): S {
  return {
    ...schema,
    read(value: Json, reader: Reader) {
      const errorsBefore = reader.errorCount;
      const result = schema.read(value, reader);
      if (reader.errorCount === errorsBefore) check(value, reader);
      return reader.errorCount === errorsBefore ? result : undefined;
    },
  };
}

/** At least one of some keys must be there. */
export function needsOneOf(keys: readonly string[]): (authored: Json, reader: Reader) => void {
  return (authored, reader) => {
    if (keys.some((key) => given(authored, key))) return;
    const listed = keys.map((key) => `\`${key}\``).join(', ');
    reader.error({ code: 'missing_field', message: `at least one of ${listed} is needed` });
  };
}

export function given(authored: Json, key: string): boolean {
  return isJsonObject(authored) && Object.hasOwn(authored, key) && (authored as JsonObject)[key] !== null;
}
