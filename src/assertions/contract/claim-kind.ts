import type { AssertionOutcome, Evidence } from '../../model/evidence.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { WantedReply } from '../../model/wanted-reply.ts';
import type { Schema } from '../../schema/schema.ts';

/** What a claim does with its parameters `P`. */
interface Behaviour<P> {
  evaluate(parameters: P, evidence: Evidence): AssertionOutcome;
  /** What a reply must have for this to hold, to check suites with. */
  oracle(parameters: P): WantedReply;
}

/** A kind of claim: an assertion in map form. Its own file knows the type of its parameters. */
export interface ClaimKind extends Behaviour<JsonObject> {
  readonly kind: string;
  readonly doc: string;
  /** How it is written: a key, or `memory.` followed by a path. */
  readonly key: string;
  /** What may stand under the key. */
  readonly schema: Schema<Json>;
  /** The parameters of the assertion, from the authored key and what was read under it. */
  parameters(key: string, value: Json): JsonObject;
}

interface ClaimDefinition<V, P> extends Behaviour<P> {
  readonly kind: string;
  readonly doc: string;
  /** Default: the kind. */
  readonly key?: string;
  readonly schema: Schema<V>;
  /** Default: the value is the only parameter. */
  readonly parameters?: (key: string, value: V) => P;
}

/** A kind of claim: what its schema reads gives its parameters their type. */
export function defineClaim<V extends Json, P extends JsonObject = { readonly value: V }>({
  key,
  parameters,
  ...definition
}: ClaimDefinition<V, P>): ClaimKind {
  return {
    ...(definition as ClaimDefinition<V, JsonObject>),
    key: key ?? definition.kind,
    parameters: (parameters as ClaimKind['parameters'] | undefined) ?? ((_key, value) => ({ value })),
  };
}
