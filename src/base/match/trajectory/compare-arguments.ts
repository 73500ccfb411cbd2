import { isJsonObject, ownValue, setOwn, type Json } from '../../model/json.ts';
import { parseFieldPath, valueAtFieldPath } from '../field-path.ts';
import { jsonDiff, missingAt, type JsonDifference } from '../json-diff.ts';
import { fitsAbsent, jsonMatches, type MatchOptions } from '../json-matches.ts';
import { isMatcher } from '../matchers/read-matcher.ts';
import type { ArgsMatch, ExpectedCall } from './calls.ts';

/** `unknown`: the arguments of the call were not reported, and the claim depends on them. */
export type ArgumentsComparison = 'match' | 'differ' | 'unknown';

/** How the arguments of a call compare with the expected ones. Undefined `input`: they were not reported. */
export function compareArguments(
  { args, argsMatch }: ExpectedCall,
  input: Json | undefined,
): ArgumentsComparison {
  if (args === undefined || argsMatch === 'ignore') return 'match';
  if (input === undefined) return allowsEverything(args, argsMatch) ? 'match' : 'unknown';
  if (typeof argsMatch !== 'string')
    return argsMatch.every((path) => differenceAt(path, args, input).length === 0) ? 'match' : 'differ';
  const compared = comparedParts(args, input, argsMatch);
  return jsonMatches(compared.expected, compared.actual, compared.options) ? 'match' : 'differ';
}

/** No key is asked for, and others are allowed. */
function allowsEverything(args: Json, argsMatch: ArgsMatch): boolean {
  const allowsOthers = argsMatch === 'partial' || argsMatch === 'deep_partial';
  return allowsOthers && isJsonObject(args) && Object.keys(args).length === 0;
}

/** Where the arguments of a call differ from the expected ones. */
export function argumentDifferences(
  { args = {}, argsMatch }: ExpectedCall,
  input: Json,
): readonly JsonDifference[] {
  if (typeof argsMatch !== 'string') return argsMatch.flatMap((path) => differenceAt(path, args, input));
  const compared = comparedParts(args, input, argsMatch);
  return jsonDiff(compared.expected, compared.actual, compared.options);
}

interface Compared {
  readonly expected: Json;
  readonly actual: Json;
  readonly options?: MatchOptions;
}

/**
 * What is left of both sides when everything is gone that the kind of comparison does not look at. A matcher in the place of all
 * arguments decides by itself.
 */
function comparedParts(
  expected: Json,
  actual: Json,
  argsMatch: Exclude<ArgsMatch, readonly string[]>,
): Compared {
  if (isMatcher(expected)) return { expected, actual };
  switch (argsMatch) {
    case 'partial':
      return { expected, actual: withKeysOf(expected, actual) };
    case 'deep_partial':
      return { expected, actual, options: { partial: true } };
    case 'subset':
      return { expected: withKeysOf(actual, expected), actual };
    default:
      return { expected, actual };
  }
}

function withKeysOf(shape: Json, value: Json): Json {
  if (!isJsonObject(shape) || !isJsonObject(value)) return value;
  const picked: Record<string, Json> = {};
  for (const key of Object.keys(shape)) {
    const inner = ownValue(value, key);
    if (inner !== undefined) setOwn(picked, key, inner);
  }
  return picked;
}

/** An argument that is absent is not one that is null. */
function differenceAt(path: string, args: Json, input: Json): readonly JsonDifference[] {
  const segments = parseFieldPath(path)!;
  const expected = valueAtFieldPath(args, segments);
  const actual = valueAtFieldPath(input, segments);
  if (expected === undefined) return actual === undefined ? [] : [{ kind: 'extra', path, actual }];
  if (actual !== undefined) return jsonDiff(expected, actual, { root: path });
  return fitsAbsent(expected, {}) ? [] : [missingAt(path, expected)];
}
