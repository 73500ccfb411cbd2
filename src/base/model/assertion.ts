import type { Json, JsonObject } from './json.ts';
import type { Place } from './place.ts';

/**
 * One claim about what an agent did. A `claim` comes from a map (`assert`, `expected`) and holds or does not hold;
 * an `evaluator` comes from a list and gets a score.
 */
export interface Assertion {
  readonly form: 'claim' | 'evaluator';
  /** Its kind: `output.includes`, `memory`, `contains`, `tool_trajectory`, ... */
  readonly kind: string;
  /** How the author named it: `output.includes_2`, `memory.user.name`, an evaluator's `name`. */
  readonly name: string;
  readonly weight: number;
  /** An evaluator that fails its test if its score is below the threshold (true) or below this number. */
  readonly required: boolean | number;
  /** A claim in list form: without a chosen threshold, only a full score passes. */
  readonly needsFullScore?: true | undefined;
  readonly negate: boolean;
  /** The parameters of this kind, checked by its schema, spelled as in the file. */
  readonly parameters: JsonObject;
  /** The parameter that contains further assertions, for one made of others. */
  readonly nests?: string | undefined;
  /** The file of a custom evaluator that a config names, from the root of the project. */
  readonly source?: string | undefined;
  readonly place: Place;
}

/** The assertions inside one that is made of others. */
export function membersOf({ nests, parameters }: Assertion): readonly Assertion[] {
  return nests === undefined ? NONE : (parameters[nests] as unknown as readonly Assertion[]);
}

const NONE: readonly Assertion[] = [];

/** The same assertion with other ones inside it. */
export function withMembers(assertion: Assertion, members: readonly Assertion[]): Assertion {
  const { nests, parameters } = assertion;
  if (nests === undefined) return assertion;
  return { ...assertion, parameters: { ...parameters, [nests]: members as unknown as Json } };
}
