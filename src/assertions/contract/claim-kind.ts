import type { AssertionOutcome, Evidence } from '../../model/evidence.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { WantedReply } from '../../model/wanted-reply.ts';
import type { Schema } from '../../schema/schema.ts';

/** A kind of claim: an assertion in map form. */
export interface ClaimKind {
  readonly kind: string;
  readonly doc: string;
  /** How it is written: a key, or `memory.` followed by a path. */
  readonly key: string;
  /** What may stand under the key. */
  readonly schema: Schema<Json>;
  /** The parameters of the assertion, from the authored key and value. */
  parameters(key: string, value: Json): JsonObject;
  evaluate(parameters: JsonObject, evidence: Evidence): AssertionOutcome;
  /** What a reply must have for this to hold, to check suites with. */
  oracle(parameters: JsonObject): WantedReply;
}

interface ClaimDefinition
  extends Omit<ClaimKind, 'key' | 'parameters'>, Partial<Pick<ClaimKind, 'key' | 'parameters'>> {}

/** By default the key is the kind, and the value the only parameter. */
export function defineClaim({ key, parameters, ...definition }: ClaimDefinition): ClaimKind {
  return {
    ...definition,
    key: key ?? definition.kind,
    parameters: parameters ?? ((_key, value) => ({ value })),
  };
}
