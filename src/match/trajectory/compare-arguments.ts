import { isJsonObject, ownValue, setOwn, type Json, type JsonObject } from '../../model/json.ts';
import { parseFieldPath, valueAtPath } from '../field-path.ts';
import { jsonDiff, type JsonDifference } from '../json-diff.ts';
import { jsonEqual } from '../json-equal.ts';
import type { ArgsMatch, ExpectedCall } from './calls.ts';

/** Whether the arguments of a call are as expected. A call that was reported without arguments has none. */
export function argumentsMatch({ args, argsMatch }: ExpectedCall, input: Json = {}): boolean {
  if (args === undefined || argsMatch === 'ignore') return true;
  const compared = comparedParts(args, input, argsMatch);
  return jsonEqual(compared.expected, compared.actual);
}

/** Where the arguments of a call differ from the expected ones. */
export function argumentDifferences(
  { args = {}, argsMatch }: ExpectedCall,
  input: Json = {},
): readonly JsonDifference[] {
  if (Array.isArray(argsMatch)) return argsMatch.flatMap((path) => differenceAt(path, args, input));
  const compared = comparedParts(args, input, argsMatch);
  return jsonDiff(compared.expected, compared.actual);
}

interface Compared {
  readonly expected: Json;
  readonly actual: Json;
}

/** What is left of both sides when everything is gone that the kind of comparison does not look at. */
function comparedParts(expected: Json, actual: Json, argsMatch: ArgsMatch): Compared {
  if (Array.isArray(argsMatch))
    return {
      expected: argsMatch.map((path) => argumentAt(expected, path)),
      actual: argsMatch.map((path) => argumentAt(actual, path)),
    };
  switch (argsMatch) {
    case 'partial':
      return { expected, actual: withKeysOf(expected, actual) };
    case 'deep_partial':
      return { expected, actual: withShapeOf(expected, actual) };
    case 'subset':
      return { expected: withKeysOf(actual, expected), actual };
    default:
      return { expected, actual };
  }
}

function withKeysOf(shape: Json, value: Json): Json {
  return isJsonObject(shape) && isJsonObject(value) ? pick(shape, value, (_, inner) => inner) : value;
}

/** The same at every depth. Lists keep their length: only objects can have more than is asked for. */
function withShapeOf(shape: Json, value: Json): Json {
  if (Array.isArray(shape) && Array.isArray(value))
    return value.map((item: Json, index) =>
      index < shape.length ? withShapeOf((shape as readonly Json[])[index]!, item) : item,
    );
  return isJsonObject(shape) && isJsonObject(value) ? pick(shape, value, withShapeOf) : value;
}

function pick(shape: JsonObject, value: JsonObject, reduce: (shape: Json, inner: Json) => Json): JsonObject {
  const picked: Record<string, Json> = {};
  for (const key of Object.keys(shape)) {
    const inner = ownValue(value, key);
    if (inner !== undefined) setOwn(picked, key, reduce(shape[key]!, inner));
  }
  return picked;
}

/** An argument that is absent is null here, as an absent place in memory is. */
function argumentAt(args: Json, path: string): Json {
  return valueAtPath(args, parseFieldPath(path)!) ?? null;
}

function differenceAt(path: string, args: Json, input: Json): readonly JsonDifference[] {
  return jsonDiff(argumentAt(args, path), argumentAt(input, path), { root: path });
}
