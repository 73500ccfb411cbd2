import { isJsonObject, jsonTypeOf, type Json, type JsonObject } from '../model/json.ts';
import { formatPath, type PathSegment } from '../model/place.ts';
import { jsonEqual } from './json-equal.ts';

/**
 * One place where two values differ. `missing` and `extra` values are on one side only. A type alias instead of an
 * interface, so that it is assignable to JSON.
 */
export type JsonDifference = {
  readonly kind: 'different' | 'missing' | 'extra';
  readonly path: string;
  readonly expected?: Json;
  readonly actual?: Json;
};

export interface DiffOptions {
  /** Keys that are not in the expected value are allowed, at every depth. */
  readonly partial?: boolean;
  /** The path of the values, before the paths of the differences. */
  readonly root?: string;
}

/** Where an actual value differs from the expected one, in the order of the expected value. Empty: they are equal. */
export function jsonDiff(expected: Json, actual: Json, options: DiffOptions = {}): readonly JsonDifference[] {
  return diff(expected, actual, { options, path: [] });
}

interface DiffContext {
  readonly options: DiffOptions;
  readonly path: readonly PathSegment[];
}

function diff(expected: Json, actual: Json, place: DiffContext): readonly JsonDifference[] {
  if (jsonTypeOf(expected) === jsonTypeOf(actual)) {
    if (isJsonObject(expected)) return diffObjects(expected, actual as JsonObject, place);
    if (Array.isArray(expected)) return diffLists(expected, actual as readonly Json[], place);
  }
  if (jsonEqual(expected, actual)) return [];
  return [{ kind: 'different', path: pathOf(place), expected, actual }];
}

function diffObjects(
  expected: JsonObject,
  actual: JsonObject,
  place: DiffContext,
): readonly JsonDifference[] {
  const found = Object.keys(expected).flatMap((key) => {
    return Object.hasOwn(actual, key)
      ? diff(expected[key]!, actual[key]!, below(place, key))
      : [missing(expected[key]!, below(place, key))];
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
  return { kind: 'missing', path: pathOf(place), expected };
}

function extra(actual: Json, place: DiffContext): JsonDifference {
  return { kind: 'extra', path: pathOf(place), actual };
}
