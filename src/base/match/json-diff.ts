import { isJsonList, isJsonObject, jsonTypeOf, type Json, type JsonObject } from '../model/json.ts';
import { formatPath, type PathSegment } from '../model/place.ts';
import { jsonEqual } from './json-equal.ts';
import { fitsAbsent, IN_PARTIAL, jsonMatches, partHolds, type MatchOptions } from './json-matches.ts';
import { isMatcher, partsOf, type MatcherPart } from './matchers/read-matcher.ts';
import { partial } from './matchers/table/collections.ts';

/**
 * One place where two values differ. `missing` and `extra` values are on one side only. A type alias instead of an
 * interface, so that it is assignable to JSON.
 */
export type JsonDifference = {
  readonly kind: 'different' | 'missing' | 'extra';
  readonly path: string;
  readonly expected?: Json;
  readonly actual?: Json;
  /** The matcher that did not hold: `$gte`. `expected` is this matcher alone. */
  readonly matcher?: string;
};

export interface DiffOptions extends MatchOptions {
  /** The path of the values, before the paths of the differences. */
  readonly root?: string;
}

/** Where an actual value differs from the expected one, in the order of the expected value. Empty: they are equal. */
export function jsonDiff(expected: Json, actual: Json, options: DiffOptions = {}): readonly JsonDifference[] {
  // Most values are as expected, and comparing costs a fraction of looking for differences.
  return jsonMatches(expected, actual, options) ? [] : diff(expected, actual, { options, path: [] });
}

interface DiffContext {
  readonly options: DiffOptions;
  readonly path: readonly PathSegment[];
}

function diff(expected: Json, actual: Json, place: DiffContext): readonly JsonDifference[] {
  if (isMatcher(expected)) return diffMatcher(expected, actual, place);
  if (jsonTypeOf(expected) === jsonTypeOf(actual)) {
    if (isJsonObject(expected)) return diffObjects(expected, actual as JsonObject, place);
    if (Array.isArray(expected)) return diffLists(expected, actual as readonly Json[], place);
  }
  if (jsonEqual(expected, actual)) return [];
  return [{ kind: 'different', path: pathOf(place), expected, actual }];
}

/** Each part that does not hold. What is wrong inside of `$partial` and `$each` is shown at its own path. */
function diffMatcher(expected: JsonObject, actual: Json, place: DiffContext): readonly JsonDifference[] {
  return partsOf(expected)
    .filter((part) => !partHolds(part, actual, place.options))
    .flatMap((part) => diffPart(part, actual, place));
}

function diffPart(
  { matcher, argument, authored }: MatcherPart,
  actual: Json,
  place: DiffContext,
): readonly JsonDifference[] {
  if (matcher.enters === 'items' && isJsonList(actual))
    return actual.flatMap((item, index) => diff(argument, item, below(place, index)));
  if (matcher.enters === 'value' && jsonTypeOf(argument) === jsonTypeOf(actual)) {
    const inside = matcher === partial ? { ...place.options, ...IN_PARTIAL } : place.options;
    return diff(argument, actual, { ...place, options: inside });
  }
  return [{ kind: 'different', path: pathOf(place), expected: authored, actual, matcher: matcher.name }];
}

function diffObjects(
  expected: JsonObject,
  actual: JsonObject,
  place: DiffContext,
): readonly JsonDifference[] {
  const found = Object.keys(expected).flatMap((key) => {
    const wanted = expected[key]!;
    if (Object.hasOwn(actual, key)) return diff(wanted, actual[key]!, below(place, key));
    return fitsAbsent(wanted, place.options) ? [] : [missing(wanted, below(place, key))];
  });
  if (place.options.partial === true) return found;
  const extras = Object.keys(actual).filter((key) => !Object.hasOwn(expected, key));
  return [...found, ...extras.map((key) => extra(actual[key]!, below(place, key)))];
}

/** A list is its items and their number: partial comparison applies to the keys of objects, not to lists. */
function diffLists(
  expected: readonly Json[],
  actual: readonly Json[],
  place: DiffContext,
): readonly JsonDifference[] {
  const found = expected.flatMap((item, index) => {
    const here = below(place, index);
    return index < actual.length ? diff(item, actual[index]!, here) : [missing(item, here)];
  });
  const extras = actual.slice(expected.length);
  return [...found, ...extras.map((item, index) => extra(item, below(place, expected.length + index)))];
}

function below({ options, path }: DiffContext, segment: PathSegment): DiffContext {
  return { options, path: [...path, segment] };
}

function pathOf({ options: { root = '' }, path }: DiffContext): string {
  const inner = formatPath(path);
  return root === '' || inner === '' || inner.startsWith('[') ? root + inner : `${root}.${inner}`;
}

function missing(expected: Json, place: DiffContext): JsonDifference {
  return missingAt(pathOf(place), expected);
}

/** Nothing is where something is expected. */
export function missingAt(path: string, expected: Json): JsonDifference {
  const found: JsonDifference = { kind: 'missing', path, expected };
  return isMatcher(expected) ? { ...found, matcher: partsOf(expected)[0]!.matcher.name } : found;
}

function extra(actual: Json, place: DiffContext): JsonDifference {
  return { kind: 'extra', path: pathOf(place), actual };
}
