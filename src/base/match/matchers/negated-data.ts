import { isJsonList, isJsonObject, type Json } from '../../model/json.ts';
import { closest, quoteName } from '../../schema/did-you-mean.ts';
import type { Reader } from '../../schema/reader.ts';
import { MATCHERS } from './registry.ts';

/** What other tools call our matchers, without the `$`, and what to write here. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  in: '{$oneOf: [...]}',
  anyof: '{$oneOf: [...]}',
  or: '{$oneOf: [...]}',
  enum: '{$oneOf: [...]}',
  nin: '{$not: {$oneOf: [...]}}',
  noneof: '{$not: {$oneOf: [...]}}',
  nor: '{$not: {$oneOf: [...]}}',
  eq: 'the value itself',
  equals: 'the value itself',
  is: 'the value itself',
  ne: '{$not: ...}',
  neq: '{$not: ...}',
  exists: '{$any: true} or {$absent: true}',
  missing: '{$absent: true}',
  matches: '{$regex: ...}',
  match: '{$regex: ...}',
  pattern: '{$regex: ...}',
  re: '{$regex: ...}',
  includes: '{$contains: ...}',
  has: '{$contains: ...}',
  startswith: "{$regex: '^...'}",
  endswith: String.raw`{$regex: '...\Z'}`,
  and: 'all matchers in one mapping',
  allof: 'all matchers in one mapping',
  all: '{$each: ...}',
  every: '{$each: ...}',
  some: '{$contains: ...}',
  elemmatch: '{$contains: ...}',
  size: '{$length: ...}',
  min: '{$gte: ...}',
  max: '{$lte: ...}',
  between: '{$gte: ..., $lte: ...}',
};

/** Plain words that answers have as keys: alone they are likely data. */
const COMMON_KEYS: ReadonlySet<string> = new Set([
  'type',
  'length',
  'is',
  'match',
  'size',
  'min',
  'max',
  'missing',
]);

const LITERAL = 'to compare it as data write {$literal: ...}';

/**
 * Data that is negated, and that its author likely meant as a matcher. Nearly every value differs from such data, so that the check
 * would always pass. The reader is at the value. Whether the `$names` of a mapping were reported.
 */
export function checkNegatedData(value: Json, reader: Reader, by = '`$not`'): boolean {
  if (!isJsonObject(value)) return false;
  const keys = Object.keys(value);
  const unknown = keys.filter((key) => key.startsWith('$') && !MATCHERS.has(key));
  if (unknown.length > 0 && !keys.some((key) => MATCHERS.has(key))) {
    for (const key of unknown)
      reader.error({
        code: 'unknown_matcher',
        message: `${quoteName(key)} is not a matcher, and with ${by} nearly every value would pass`,
        hint: `${insteadOf(key) ?? 'use a matcher'}; ${LITERAL}`,
        at: [key],
        onKey: true,
      });
    return true;
  }
  const [only] = keys;
  if (keys.length === 1 && !COMMON_KEYS.has(only!.toLowerCase())) {
    const instead = MATCHERS.has(`$${only!}`) ? `write {$${only!}: ...}` : otherName(only!);
    if (instead !== undefined)
      reader.warning({
        code: 'not_a_matcher',
        message: `${quoteName(only!)} is a key of the data here, not a matcher`,
        hint: `${instead}; ${LITERAL}`,
        at: [only!],
        onKey: true,
      });
  }
  return false;
}

/**
 * The same for a value that an evaluator with `negate: true` compares, with all that is in it. What is inside of `$not` was checked, and
 * what is inside of `$literal` is data.
 */
export function checkNegatedValue(value: Json, reader: Reader): void {
  if (typeof value !== 'object' || value === null) return;
  if (!isJsonList(value)) checkNegatedData(value, reader, '`negate: true`');
  for (const [key, item] of Object.entries(value)) {
    if (key === '$not' || key === '$literal') continue;
    reader.enter(isJsonList(value) ? Number(key) : key);
    checkNegatedValue(item as Json, reader);
    reader.leave();
  }
}

/** A list in the place of one value: `{$not: [a, b]}`. */
export function checkNegatedList(value: Json, reader: Reader): void {
  if (!isJsonList(value) || value.length === 0 || value.some((item) => typeof item === 'object')) return;
  reader.warning({
    code: 'not_a_matcher',
    message: '`$not` compares with this whole list, and not with each of its items',
    hint: 'for none of these write {$not: {$oneOf: [...]}}; for the list write {$not: {$literal: [...]}}',
  });
}

function insteadOf(name: string): string | undefined {
  const meant = closest(name, MATCHERS.keys());
  return otherName(name.slice(1)) ?? (meant === undefined ? undefined : `did you mean ${quoteName(meant)}?`);
}

function otherName(name: string): string | undefined {
  const plain = name.toLowerCase().replaceAll('_', '');
  return Object.hasOwn(OTHER_NAMES, plain) ? `write ${OTHER_NAMES[plain]!}` : undefined;
}
