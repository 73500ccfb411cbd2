import { isJsonList, isJsonObject, setOwn, type Json, type JsonObject } from '../../model/json.ts';
import { IN_PARTIAL, matcherHolds, partHolds, type MatchOptions } from '../json-matches.ts';
import { firstMatcher, isMatcher, matchesAbsent, partsOf } from './read-matcher.ts';
import { partial } from './table/collections.ts';

/**
 * The expected value to show beside an actual one: a matcher that holds is shown as the value it met, so that a diff has only
 * the lines that are wrong. Without matchers it is the expected value itself.
 */
export function shownExpected(expected: Json, actual: Json | undefined, options: MatchOptions = {}): Json {
  if (firstMatcher(expected) === undefined && options.partial !== true) return expected;
  return shown(expected, actual, options) ?? null;
}

/** Undefined: nothing is expected, and nothing is there. */
function shown(expected: Json, actual: Json | undefined, options: MatchOptions): Json | undefined {
  if (actual === undefined) return matchesAbsent(expected) ? undefined : expected;
  if (isMatcher(expected)) return shownMatcher(expected, actual, options);
  if (isJsonList(expected) && isJsonList(actual))
    return expected.map((item, index) => shown(item, actual[index], options) ?? null);
  if (isJsonObject(expected) && isJsonObject(actual)) return shownObject(expected, actual, options);
  return expected;
}

function shownMatcher(expected: JsonObject, actual: Json, options: MatchOptions): Json | undefined {
  if (matcherHolds(expected, actual, options)) return actual;
  const failed = partsOf(expected).filter((part) => !partHolds(part, actual, options));
  const [{ matcher, argument }] = failed as [(typeof failed)[number]];
  if (failed.length === 1 && matcher.enters === 'items' && isJsonList(actual))
    return actual.map((item) => shown(argument, item, options) ?? null);
  if (failed.length === 1 && matcher.enters === 'value')
    return shown(argument, actual, matcher === partial ? IN_PARTIAL : options);
  return Object.assign({}, ...failed.map(({ authored }) => authored)) as JsonObject;
}

function shownObject(expected: JsonObject, actual: JsonObject, options: MatchOptions): JsonObject {
  const result: Record<string, Json> = {};
  const put = (key: string, value: Json | undefined): void => {
    if (value !== undefined) setOwn(result, key, value);
  };
  if (options.partial === true)
    for (const key of Object.keys(actual))
      put(key, Object.hasOwn(expected, key) ? shown(expected[key]!, actual[key]!, options) : actual[key]!);
  for (const key of Object.keys(expected))
    if (!Object.hasOwn(result, key))
      put(key, shown(expected[key]!, Object.hasOwn(actual, key) ? actual[key] : undefined, options));
  return result;
}
