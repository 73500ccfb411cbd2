import { isJsonList, isJsonObject, jsonTypeOf, type Json } from '../../../model/json.ts';
import { byType } from '../../../schema/by-type.ts';
import { list } from '../../../schema/list.ts';
import { anyJson, jsonObject, number } from '../../../schema/values.ts';
import { cutsCharacter } from '../../cuts-character.ts';
import { SAMPLES, type Matcher } from '../matcher.ts';

export const length: Matcher = {
  name: '$length',
  doc: 'A text with this many characters, a list with this many items, or an object with this many keys. A matcher such as `{$gte: 1}` is compared with the number.',
  example: { $length: 3 },
  schema: byType({
    number: number({ min: 0, integer: true }),
    object: jsonObject('matcher of a number'),
  }),
  inner: 'value',
  accepts: () => ['string', 'array', 'object'],
  holds(argument, actual, compare) {
    const found = lengthOf(actual);
    return found !== undefined && compare(argument, found);
  },
  textRule: (argument) =>
    typeof argument === 'number' && argument <= LONGEST
      ? { type: 'pattern', pattern: String.raw`(?s)\A.{${argument}}\Z` }
      : undefined,
  satisfying: (argument, sample) => lengthsIn(sample(argument)).flatMap(ofLength),
  breaking: (argument, sample) => [
    ...lengthsIn(sample(argument)).flatMap((size) => [
      ...ofLength(size + 1),
      ...ofLength(Math.max(0, size - 1)),
    ]),
    ...[0, 1, 2, 20].flatMap(ofLength),
    1,
  ],
};

/** Undefined for what has no length. */
export function lengthOf(value: Json): number | undefined {
  if (typeof value === 'string') return countCharacters(value);
  if (isJsonList(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : undefined;
}

function countCharacters(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at++) if (cutsCharacter(text, at)) count--;
  return count;
}

/** Nothing longer is made to try a matcher. */
const LONGEST = 10_000;

function lengthsIn(values: readonly Json[]): readonly number[] {
  return values.filter((value) => typeof value === 'number').filter((size) => isLength(size));
}

function isLength(size: number): boolean {
  return Number.isInteger(size) && size >= 0 && size <= LONGEST;
}

function ofLength(size: number): readonly Json[] {
  const items = Array.from({ length: size }, (_, index) => `text${index}`);
  return ['a'.repeat(size), items, Object.fromEntries(items.map((key) => [key, 'value']))];
}

export const each: Matcher = {
  name: '$each',
  doc: 'A list in which every item equals or matches this. An empty list matches: add `$length: {$gte: 1}` if there must be items.',
  example: { $each: { $type: 'string' } },
  schema: anyJson(),
  inner: 'value',
  enters: 'items',
  accepts: () => ['array'],
  holds: (argument, actual, compare) => isJsonList(actual) && actual.every((item) => compare(argument, item)),
  satisfying: (argument, sample) => [
    ...sample(argument)
      .slice(0, 3)
      .map((item) => [item]),
    [],
  ],
  breaking: () => [...SAMPLES.map((item) => [item]), 'text'],
};

export const partial: Matcher = {
  name: '$partial',
  doc: 'An object with these keys, each equal or matching; other keys are free. The same applies at every depth; lists keep their length.',
  example: { $partial: { user: { name: 'Ann' } } },
  schema: byType({ object: jsonObject(), array: list(anyJson(), { label: 'list' }) }),
  inner: 'value',
  enters: 'value',
  accepts: (argument) => [jsonTypeOf(argument)],
  holds: (argument, actual, compare) => compare(argument, actual),
  satisfying: (argument, sample) => sample(argument),
  breaking: () => SAMPLES,
};
