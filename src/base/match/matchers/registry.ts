import type { Matcher } from './matcher.ts';
import { not, oneOf } from './table/choices.ts';
import { each, length, partial } from './table/collections.ts';
import { approx, gt, gte, lt, lte } from './table/numbers.ts';
import { absent, any, literal } from './table/presence.ts';
import { contains, regex } from './table/texts.ts';
import { type } from './table/type.ts';

/** Every matcher, in the order of the docs. */
const ALL: readonly Matcher[] = [
  any,
  absent,
  type,
  regex,
  contains,
  gte,
  gt,
  lte,
  lt,
  approx,
  oneOf,
  not,
  length,
  partial,
  each,
  literal,
];

export const MATCHERS: ReadonlyMap<string, Matcher> = new Map(ALL.map((matcher) => [matcher.name, matcher]));
