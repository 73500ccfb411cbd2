import type { Json } from '../model/json.ts';
import type { Reader } from './reader.ts';

/** JSON Schema draft-07, as far as it is written here. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * One description of a shape. The loader's checks, the TypeScript type, the published JSON Schema and the tables in
 * the docs all come from it.
 */
export interface Schema<T> {
  /** For tables and messages: "text", "list of messages". */
  readonly label: string;
  readonly jsonSchema: JsonSchema;
  /** The value as T, or undefined after reporting what is wrong with it. */
  read(value: Json, reader: Reader): T | undefined;
}

export type Infer<S> = S extends Schema<infer T> ? T : never;
