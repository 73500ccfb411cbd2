import { isJsonList, isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import { jsonEqual } from './json-equal.ts';
import { isMatcher, matchesAbsent, partsOf, type MatcherPart } from './matchers/read-matcher.ts';
import { partial } from './matchers/table/collections.ts';

export interface MatchOptions {
  /** Keys that are not in the expected value are allowed, at every depth. */
  readonly partial?: boolean | undefined;
  /** An absent key matches an expected `null`: inside of `$partial`. */
  readonly isNullAbsent?: boolean | undefined;
}

/**
 * Whether a value is as its author expects it: JSON equality, except where the expected value has matchers. This is the hot path
 * of every comparison: an expected value without matchers costs no more than `jsonEqual`.
 */
export function jsonMatches(expected: Json, actual: Json, options: MatchOptions = EXACTLY): boolean {
  if (typeof expected !== 'object' || expected === null) return jsonEqual(expected, actual);
  if (isJsonList(expected)) {
    return (
      isJsonList(actual) &&
      expected.length === actual.length &&
      expected.every((item, index) => jsonMatches(item, actual[index]!, options))
    );
  }
  if (isMatcher(expected)) return matcherHolds(expected, actual, options);
  if (!isJsonObject(actual)) return false;
  let found = 0;
  for (const key of Object.keys(expected)) {
    if (Object.hasOwn(actual, key)) {
      if (!jsonMatches(expected[key]!, actual[key]!, options)) return false;
      found++;
    } else if (!fitsAbsent(expected[key]!, options)) return false;
  }
  return options.partial === true || found === Object.keys(actual).length;
}

const EXACTLY: MatchOptions = {};

/** The options inside of `$partial`. */
export const IN_PARTIAL: MatchOptions = { partial: true, isNullAbsent: true };

/** Whether a key of an object may be absent although a value is expected under it. */
export function fitsAbsent(expected: Json, { isNullAbsent = false }: MatchOptions): boolean {
  return expected === null ? isNullAbsent : matchesAbsent(expected);
}

/** Whether a value matches every part of a matcher. */
export function matcherHolds(mapping: JsonObject, actual: Json, options: MatchOptions): boolean {
  return partsOf(mapping).every((part) => partHolds(part, actual, options));
}

export function partHolds({ matcher, argument }: MatcherPart, actual: Json, options: MatchOptions): boolean {
  const inside = matcher === partial ? IN_PARTIAL : options;
  return matcher.holds(argument, actual, (expected, value) => jsonMatches(expected, value, inside));
}
