import type { JsonSchema } from '../model/described.ts';
import type { Json } from '../model/json.ts';
import type { Reader } from './reader.ts';

export type { JsonSchema } from '../model/described.ts';

/**
 * One description of a shape. The loader's checks, the TypeScript type, the published JSON Schema and the tables in
 * the docs all derive from it.
 */
export interface Schema<T> {
  /** For tables and messages: "text", "list of messages". */
  readonly label: string;
  /** Often a getter: a run does not need it. */
  readonly jsonSchema: JsonSchema;
  /** The value as T, or undefined after reporting what is wrong with it. */
  read(value: Json, reader: Reader): T | undefined;
  /** Reports what would make nearly every value pass where the value is negated. The reader is at the value. */
  checkNegated?(value: Json, reader: Reader): void;
}

export type Infer<S> = S extends Schema<infer T> ? T : never;
