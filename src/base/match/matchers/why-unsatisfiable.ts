import type { Json, JsonObject, JsonType } from '../../model/json.ts';
import { matcherHolds } from '../json-matches.ts';
import { findText } from '../text-language/find-text.ts';
import { acceptedTypes } from './accepted-types.ts';
import { emptyRange } from './number-range.ts';
import { firstMatcher, isMatcher, partsOf, type MatcherPart } from './read-matcher.ts';
import { choicesIn } from './table/choices.ts';

/** Why no value matches all parts of a matcher. Undefined: some value does, or nobody can tell. */
export function whyUnsatisfiable(mapping: JsonObject): string | undefined {
  const parts = partsOf(mapping);
  const names = parts.map(({ matcher }) => matcher.name);
  if (names.includes('$absent'))
    return names.length === 1 ? undefined : '`$absent` asks for no value, and the others for one';
  const choices = finiteChoices(parts);
  if (choices !== undefined)
    return choices.some((choice) => holds(mapping, choice))
      ? undefined
      : 'none of its values matches the rest';
  const types = acceptedTypes(mapping);
  if (types.length === 0) return noneMatches(names);
  return types.every((type) => isRefuted(type, parts)) ? explain(parts, types) : undefined;
}

/** The only values that can match, where they are listed as data. */
function finiteChoices(parts: readonly MatcherPart[]): readonly Json[] | undefined {
  for (const { matcher, argument } of parts) {
    if (matcher.name === '$literal') return [argument];
    if (
      matcher.name === '$oneOf' &&
      choicesIn(argument).every((choice) => firstMatcher(choice) === undefined)
    )
      return choicesIn(argument);
  }
  return undefined;
}

function holds(mapping: JsonObject, value: Json): boolean {
  try {
    return matcherHolds(mapping, value, {});
  } catch {
    // A pattern that takes too long: nobody can tell.
    return true;
  }
}

/** Whether no value of the type matches. */
function isRefuted(type: JsonType, parts: readonly MatcherPart[]): boolean {
  const lengths = parts.filter(({ matcher }) => matcher.name === '$length');
  if (lengths.some(({ argument }) => hasNoLength(argument))) return true;
  if (type === 'number') return emptyRange(parts) !== undefined;
  if (type !== 'string') return false;
  const rules = parts.flatMap(({ matcher, argument }) => matcher.textRule?.(argument) ?? []);
  return rules.length > 0 && findText(rules) === 'none';
}

/** Lengths are integers from 0 on. */
function hasNoLength(argument: Json): boolean {
  if (!isMatcher(argument)) return false;
  const types = acceptedTypes(argument);
  return (
    !types.includes('number') ||
    emptyRange(partsOf({ $type: 'integer', $gte: 0, ...atLeastZero(argument) })) !== undefined
  );
}

/** A lower bound below 0 says nothing about a length, and must not replace the 0. */
function atLeastZero(argument: JsonObject): JsonObject {
  const { $gte: bound, ...rest } = argument;
  return bound !== undefined && bound !== null && Number(bound) > 0 ? { ...rest, $gte: bound } : rest;
}

function explain(parts: readonly MatcherPart[], types: readonly JsonType[]): string {
  const range = types.includes('number') ? emptyRange(parts) : undefined;
  return range ?? noneMatches(parts.map(({ matcher }) => matcher.name));
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(' and ');
}

function noneMatches(names: readonly string[]): string {
  return names.length === 1 ? 'no value does' : `no value can match ${listed(names)} at once`;
}
