import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import type { Reader } from './reader.ts';
import type { Infer, Schema } from './schema.ts';

/** An extra check of a value that its schema accepts: gets the value as its author wrote it, and as it was read. */
export type Check<T> = (authored: Json, reader: Reader, read: T) => void;

/** The schema, read in another way. A spread would make its JSON Schema, which a run does not need. */
export function readingOf<S extends Schema<unknown>, T>(schema: S, read: Schema<T>['read']): S & Schema<T> {
  return Object.defineProperties({} as S & Schema<T>, {
    ...Object.getOwnPropertyDescriptors(schema),
    read: { value: read, enumerable: true },
  });
}

/** A schema with one more check. */
export function refine<S extends Schema<unknown>>(schema: S, check: Check<Infer<S>>): S {
  return readingOf(schema, (value, reader) => {
    const errorsBefore = reader.errorCount;
    const result = schema.read(value, reader) as Infer<S>;
    if (reader.errorCount === errorsBefore) check(value, reader, result);
    return reader.errorCount === errorsBefore ? result : undefined;
  });
}

/** At least one of some keys must be present. */
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
