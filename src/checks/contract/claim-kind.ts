import type { Json, JsonObject } from '../../base/model/json.ts';
import type { Schema } from '../../base/schema/schema.ts';
import { toAssertionKind, type AssertionKind, type KindDefinition } from './assertion-kind.ts';

/** A kind of claim: an assertion in map form. */
export interface ClaimKind extends AssertionKind {
  /** How it is written: a key, or `memory.` followed by a path. */
  readonly key: string;
  /** The schema of the value under the key. */
  readonly schema: Schema<Json>;
  /** What an author may write under it. */
  readonly example: Json;
  /** The parameters of the assertion, from the authored key and its value. */
  parameters(key: string, value: Json): JsonObject;
}

interface ClaimDefinition<V, P> extends KindDefinition<P> {
  /** Default: the kind. */
  readonly key?: string;
  readonly schema: Schema<V>;
  readonly example: Json;
  /** Default: the value is the only parameter. */
  readonly parameters?: (key: string, value: V) => P;
}

/** A kind of claim: its schema gives its parameters their type. */
export function defineClaim<V extends Json, P extends JsonObject = { readonly value: V }>({
  key,
  schema,
  example,
  parameters,
  ...definition
}: ClaimDefinition<V, P>): ClaimKind {
  return {
    ...toAssertionKind(definition),
    key: key ?? definition.kind,
    schema,
    example,
    parameters: (parameters as ClaimKind['parameters'] | undefined) ?? ((_key, value) => ({ value })),
  };
}
