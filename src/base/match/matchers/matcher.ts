import type { Json, JsonObject, JsonType } from '../../model/json.ts';
import type { TextRule } from '../../model/text-rule.ts';
import type { Schema } from '../../schema/schema.ts';

/** Compares a value with an argument of a matcher, which may contain matchers again. */
type Compare = (expected: Json, actual: Json) => boolean;

/** One matcher: `{$gte: 5}` in the place of an expected value. */
export interface Matcher {
  readonly name: string;
  /** Which values match, for the docs. */
  readonly doc: string;
  /** One mapping that an author may write. */
  readonly example: JsonObject;
  /** The schema of its argument. */
  readonly schema: Schema<unknown>;
  /** Where its argument contains expected values: itself, its items, or nowhere. */
  readonly inner?: 'value' | 'items';
  /** Whether the argument is compared with the same value, or with each of its items: failures are inside of it. */
  readonly enters?: 'value' | 'items';
  /** The types of the values that can match. `typesOf` is the same for an expected value. */
  accepts(argument: Json, typesOf: (expected: Json) => readonly JsonType[]): readonly JsonType[];
  holds(argument: Json, actual: Json, compare: Compare): boolean;
  /** Exactly the texts that match, where texts can. */
  textRule?(argument: Json): TextRule | undefined;
  /** Values that match: the oracle of `assay check`. `sample` gives values for an expected value. */
  satisfying(argument: Json, sample: Sampler): readonly Json[];
  /** Values that do not: the anti-oracle. What must be there is also broken by an absent value. */
  breaking(argument: Json, sample: Sampler): readonly Json[];
}

/** Values that match an expected value, the simplest first. */
type Sampler = (expected: Json) => readonly Json[];

export const ALL_TYPES: readonly JsonType[] = ['null', 'boolean', 'number', 'string', 'array', 'object'];

/** Values of every type: whatever a matcher asks for, some of them match it and others do not. */
export const SAMPLES: readonly Json[] = [
  'text',
  1,
  true,
  ['text'],
  { key: 'value' },
  null,
  'another text',
  0,
  2,
  -1,
  0.5,
  1_000_000,
  false,
  '',
  [],
  {},
];
