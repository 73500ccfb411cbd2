import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { closest, oneTypoAway, quoteName } from '../../schema/did-you-mean.ts';
import type { Reader } from '../../schema/reader.ts';
import { isFoundEverywhere } from '../found-everywhere.ts';
import { checkNegatedData, checkNegatedList } from './negated-data.ts';
import { isMatcher, isMatcherKey, matchesAbsent, partsOf, type MatcherPart } from './read-matcher.ts';
import { jsonMatches } from '../json-matches.ts';
import { SAMPLES } from './matcher.ts';
import { MATCHERS } from './registry.ts';
import { not } from './table/choices.ts';
import { approx, WITHIN, withinSchema } from './table/numbers.ts';
import { whyUnsatisfiable } from './why-unsatisfiable.ts';

interface CheckOptions {
  /** The value is given to a tool: `{regex: ...}` is likely meant as a matcher. */
  readonly isArgument?: boolean;
  /** The value itself is always there. An `answer` that may be anything is not checked at all. */
  readonly isAlwaysThere?: 'answer' | 'part';
  /** The value is inside of `$not`: data that was meant as a matcher would always pass. */
  readonly isNegated?: boolean;
}

/**
 * Reports what is wrong with the matchers in an expected value: arguments of the wrong type, patterns that Python refuses, matchers
 * that no value can match, and names that are nearly matchers. The reader is at the value.
 */
export function checkMatchers(value: Json, reader: Reader, options: CheckOptions = {}): void {
  if (options.isAlwaysThere !== undefined && isMatcher(value)) checkWhole(value, reader, options);
  walk(value, reader, options);
}

function walk(value: Json, reader: Reader, options: CheckOptions): void {
  if (isJsonList(value)) walkItems(value, reader, options);
  else if (isJsonObject(value)) {
    if (isMatcher(value)) checkMatcher(value, reader, options);
    else {
      const isReported = options.isNegated === true && checkNegatedData(value, reader);
      if (!isReported) warnAboutData(value, reader, options);
      for (const key of Object.keys(value)) enter(value[key]!, key, { reader, options });
    }
  }
}

function walkItems(items: readonly Json[], reader: Reader, options: CheckOptions): void {
  for (let index = 0; index < items.length; index++) {
    const item = items[index]!;
    if (matchesAbsent(item))
      reader.error({
        code: 'unsatisfiable_matcher',
        message: 'an item of a list cannot be absent',
        hint: 'leave the item out, or use $length',
        at: [index],
      });
    enter(item, index, { reader, options });
  }
}

interface Walking {
  readonly reader: Reader;
  readonly options: CheckOptions;
}

function enter(value: Json, segment: string | number, { reader, options }: Walking): void {
  if (typeof value !== 'object' || value === null) return;
  reader.enter(segment);
  walk(value, reader, options);
  reader.leave();
}

/** A matcher in the place of a value that is always there. */
function checkWhole(value: JsonObject, reader: Reader, { isAlwaysThere }: CheckOptions): void {
  if (matchesAbsent(value))
    reader.error({
      code: 'unsatisfiable_matcher',
      message: 'this value is always there, so it cannot be absent',
    });
  else if (isAlwaysThere === 'answer' && partsOf(value).every(({ matcher }) => matcher.name === '$any'))
    reader.warning({
      code: 'always_holds',
      message: 'this always passes: every answer matches {$any: true}',
      hint: 'say what the answer must be',
    });
}

function checkMatcher(mapping: JsonObject, reader: Reader, options: CheckOptions): void {
  const errorsBefore = reader.errorCount;
  for (const part of partsOf(mapping)) checkPart(part, reader, options);
  if (Object.hasOwn(mapping, approx.name)) checkWithin(mapping, reader);
  if (reader.errorCount > errorsBefore) return;
  const why = whyUnsatisfiable(mapping);
  if (why !== undefined)
    reader.error({
      code: 'unsatisfiable_matcher',
      message: `nothing can match this: ${why}`,
      hint: LITERAL_HINT,
    });
}

const LITERAL_HINT = 'change it; to compare it as data write {$literal: ...}';

function checkPart({ matcher, authored }: MatcherPart, reader: Reader, options: CheckOptions): void {
  const argument = authored[matcher.name]!;
  const errorsBefore = reader.errorCount;
  reader.enter(matcher.name);
  matcher.schema.read(argument, reader);
  if (reader.errorCount === errorsBefore) {
    if (matcher.inner === 'items')
      for (const [index, item] of (argument as readonly Json[]).entries())
        enter(item, index, { reader, options });
    else if (matcher === not) {
      checkNegatedList(argument, reader);
      walk(argument, reader, { ...options, isNegated: true });
    } else if (matcher.inner === 'value') walk(argument, reader, options);
    checkInner(matcher.name, argument, reader);
    const why = whyVacuous(matcher.name, argument);
    if (why !== undefined)
      reader.warning({
        code: 'always_holds',
        message: `${quoteName(matcher.name)} checks nothing: ${why.why}`,
        hint: why.hint,
      });
  }
  reader.leave();
}

/** What the schema of an argument cannot say. */
function checkInner(name: string, argument: Json, reader: Reader): void {
  if (name === '$length' && isJsonObject(argument) && !isMatcher(argument))
    reader.error({ code: 'type', message: '`$length` must be an integer, or a matcher of one' });
  if ((name === '$contains' || name === '$each') && matchesAbsent(argument))
    reader.error({
      code: 'unsatisfiable_matcher',
      message: `${quoteName(name)} is compared with items, and an item is never absent`,
    });
}

function whyVacuous(
  name: string,
  argument: Json,
): { readonly why: string; readonly hint: string } | undefined {
  if (name === '$contains' && argument === '')
    return { why: 'every text contains the empty text', hint: 'write {$type: string}, or a string' };
  if (name === '$partial' && Object.keys(argument as object).length === 0)
    return { why: 'it lists nothing to compare', hint: 'list what must be there, or write {$type: object}' };
  if (name === '$oneOf' && SAMPLES.every((sample) => jsonMatches({ $oneOf: argument }, sample)))
    return {
      why: 'every value matches one of its choices',
      hint: 'remove the choice that matches everything',
    };
  if (name === '$each' && isMatcher(argument) && SAMPLES.every((sample) => jsonMatches(argument, sample)))
    return { why: 'every item matches it', hint: 'write {$type: array}, or say what each item must be' };
  if (name === '$length' && isMatcher(argument) && LENGTHS.every((length) => jsonMatches(argument, length)))
    return { why: 'every length matches it', hint: 'write {$any: true}, or a length that can be wrong' };
  if (name === '$regex' && isFoundEverywhere({ type: 'pattern', pattern: argument as string }))
    return { why: 'this pattern matches every text', hint: 'write {$type: string}, or another pattern' };
  return undefined;
}

const LENGTHS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 50, 100, 1000, 10_000, 1_000_000, 1_000_000_000];

function checkWithin(mapping: JsonObject, reader: Reader): void {
  if (!Object.hasOwn(mapping, WITHIN)) {
    reader.error({
      code: 'missing_within',
      message: '`$approx` needs `within`: how far away the number may be',
      hint: 'write {$approx: 3.14, within: 0.01}',
    });
    return;
  }
  reader.enter(WITHIN);
  const errorsBefore = reader.errorCount;
  const within = withinSchema.read(mapping[WITHIN]!, reader);
  const center = Math.abs(Number(mapping[approx.name]));
  if (reader.errorCount === errorsBefore && center > 0 && Number(within) >= center)
    reader.warning({
      code: 'loose_tolerance',
      message: `\`within: ${String(within)}\` is as large as the number itself, so 0 matches too`,
      hint: 'use a smaller tolerance',
    });
  reader.leave();
}

/** Mappings that are data, but look as if their author meant a matcher. */
function warnAboutData(
  mapping: JsonObject,
  reader: Reader,
  { isArgument = false, isNegated = false }: CheckOptions,
): void {
  const keys = Object.keys(mapping);
  if (isArgument && !isNegated && keys.length === 1 && keys[0] === 'regex')
    reader.warning({
      code: 'not_a_matcher',
      message: '`regex` is a key of the argument here, not a matcher',
      hint: 'for a pattern write {$regex: ...}',
      at: ['regex'],
      onKey: true,
    });
  if (!keys.some((key) => key.startsWith('$'))) return;
  const known = keys.filter((key) => MATCHERS.has(key));
  const unknown = keys.filter((key) => key.startsWith('$') && !MATCHERS.has(key));
  if (known.length > 0) reportMixed(mapping, known[0]!, { reader, unknown });
  else
    for (const key of unknown) {
      const meant = oneTypoAway(key, MATCHERS.keys());
      if (meant === undefined) continue;
      reader.warning({
        code: 'unknown_matcher',
        message: `${quoteName(key)} is not a matcher, so this mapping is compared as data`,
        hint: `did you mean ${quoteName(meant)}?`,
        at: [key],
        onKey: true,
      });
    }
}

interface Mixed {
  readonly reader: Reader;
  readonly unknown: readonly string[];
}

function reportMixed(mapping: JsonObject, known: string, { reader, unknown: [unknown] }: Mixed): void {
  if (unknown !== undefined) {
    const meant = closest(unknown, MATCHERS.keys());
    reader.error({
      code: 'mixed_matchers',
      message: `${quoteName(known)} is a matcher and ${quoteName(unknown)} is not`,
      hint:
        meant === undefined
          ? 'to compare it as data write {$literal: ...}'
          : `did you mean ${quoteName(meant)}?`,
      at: [unknown],
      onKey: true,
    });
    return;
  }
  const plain = Object.keys(mapping).find((key) => !isMatcherKey(key, mapping))!;
  reader.warning({
    code: 'not_a_matcher',
    message: `${quoteName(known)} is next to ${quoteName(plain)}, so this mapping is compared as data`,
    hint: 'a matcher has no other keys; for an object with more keys use $partial, for data $literal',
    at: [known],
    onKey: true,
  });
}
