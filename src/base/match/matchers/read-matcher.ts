import { isJsonList, isJsonObject, ownValue, setOwn, type Json, type JsonObject } from '../../model/json.ts';
import type { Matcher } from './matcher.ts';
import { MATCHERS } from './registry.ts';
import { approx, WITHIN } from './table/numbers.ts';
import { absent } from './table/presence.ts';

/** One key of a mapping that is a matcher. */
export interface MatcherPart {
  readonly matcher: Matcher;
  /** What its functions take. */
  readonly argument: Json;
  /** The part alone, as its author wrote it. */
  readonly authored: JsonObject;
}

/** Whether a value is a matcher: a mapping all of whose keys are names of matchers. Everything else is data. */
export function isMatcher(value: Json | undefined): value is JsonObject {
  if (!isJsonObject(value)) return false;
  // Nearly every mapping is data, and its first key shows it: a list of all keys would cost more than the rest.
  for (const first in value) {
    if (!first.startsWith('$') && first !== WITHIN) return false;
    const keys = Object.keys(value);
    return keys.length > 0 && keys.every((key) => isMatcherKey(key, value));
  }
  return false;
}

/** `within` counts only beside `$approx`. */
export function isMatcherKey(key: string, mapping: JsonObject): boolean {
  return key === WITHIN ? Object.hasOwn(mapping, approx.name) : MATCHERS.has(key);
}

/** The parts of a matcher: all of them must hold. */
export function partsOf(mapping: JsonObject): readonly MatcherPart[] {
  return Object.keys(mapping)
    .filter((key) => key !== WITHIN)
    .map((key) => {
      const argument = mapping[key]!;
      if (key !== approx.name)
        return { matcher: MATCHERS.get(key)!, argument, authored: { [key]: argument } };
      const within = mapping[WITHIN] ?? 0;
      return {
        matcher: approx,
        argument: [argument, within],
        authored: { [key]: argument, [WITHIN]: within },
      };
    });
}

/** The name of the first matcher in a value, at any depth. Undefined: it is data only. */
export function firstMatcher(value: Json | undefined): string | undefined {
  if (isMatcher(value)) return Object.keys(value).find((key) => key !== WITHIN);
  const inner = isJsonList(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  for (const each of inner) {
    const found = firstMatcher(each);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The same value with nothing in it that is read as a matcher: JSON in a text is data. */
export function asData(value: Json): Json {
  if (isMatcher(value)) return { $literal: value };
  if (isJsonList(value)) return value.map(asData);
  if (!isJsonObject(value)) return value;
  const data: Record<string, Json> = {};
  for (const key of Object.keys(value)) setOwn(data, key, asData(value[key]!));
  return data;
}

/** Whether an absent value matches: only `$absent` says so, alone or as a choice of `$oneOf`. */
export function matchesAbsent(expected: Json): boolean {
  if (!isMatcher(expected)) return false;
  return partsOf(expected).every(
    ({ matcher, argument }) =>
      matcher === absent ||
      (matcher.name === '$oneOf' && isJsonList(argument) && argument.some(matchesAbsent)),
  );
}

/** A matcher as an author writes it in YAML: `{$gte: 5}`. */
export function printMatcher(mapping: JsonObject, print: (value: Json) => string): string {
  const members = Object.keys(mapping).map((key) => `${key}: ${print(ownValue(mapping, key)!)}`);
  return `{${members.join(', ')}}`;
}
