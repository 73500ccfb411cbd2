import { isJsonList, isJsonObject, setOwn, type Json, type JsonObject } from '../../model/json.ts';
import { matcherHolds } from '../json-matches.ts';
import { findText } from '../text-language/find-text.ts';
import { SAMPLES } from './matcher.ts';
import { isMatcher, matchesAbsent, partsOf, type MatcherPart } from './read-matcher.ts';
import { isNumeric, readApprox } from './table/numbers.ts';

/** Values that match an expected value, the simplest first. Empty: it wants an absent value, or none was found. */
export function sampleValues(expected: Json): readonly Json[] {
  if (isMatcher(expected)) return matcherSamples(expected);
  if (isJsonList(expected)) {
    const items = expected.map(firstSample);
    return items.every((item) => item !== undefined) ? [items] : [];
  }
  if (!isJsonObject(expected)) return [expected];
  const sample: Record<string, Json> = {};
  for (const key of Object.keys(expected)) {
    if (matchesAbsent(expected[key]!)) continue;
    const value = firstSample(expected[key]!);
    if (value === undefined) return [];
    setOwn(sample, key, value);
  }
  return [sample];
}

function firstSample(expected: Json): Json | undefined {
  return sampleValues(expected)[0];
}

function matcherSamples(mapping: JsonObject): readonly Json[] {
  const parts = partsOf(mapping);
  const candidates = [
    ...parts.flatMap(({ matcher, argument }) => matcher.satisfying(argument, sampleValues)),
    ...listSamples(parts),
    ...numbersBetween(parts),
    ...textSamples(parts),
    ...SAMPLES,
  ];
  return candidates.filter((value) => holds(mapping, value));
}

export function holds(mapping: JsonObject, value: Json): boolean {
  try {
    return matcherHolds(mapping, value, {});
  } catch {
    // A pattern that takes too long.
    return false;
  }
}

/** A list whose length, items and one special item several parts decide. */
function listSamples(parts: readonly MatcherPart[]): readonly Json[] {
  const sampleFor = (name: string): readonly Json[] =>
    parts.filter(({ matcher }) => matcher.name === name).flatMap(({ argument }) => sampleValues(argument));
  const [item = 'text'] = sampleFor('$each');
  const special = sampleFor('$contains').slice(0, 1);
  const lengths = sampleFor('$length').filter((size) => typeof size === 'number' && size <= LONGEST);
  return (lengths.length === 0 ? [1] : (lengths as readonly number[]).slice(0, 3)).map((size) =>
    [...special, ...Array.from({ length: Math.max(0, size) }, () => item)].slice(
      0,
      Math.max(size, special.length),
    ),
  );
}

const LONGEST = 10_000;

/** Bounds that leave only what is between two neighbours of them. */
function numbersBetween(parts: readonly MatcherPart[]): readonly Json[] {
  const bounds = parts
    .map(({ matcher, argument }) => (matcher.name === '$approx' ? readApprox(argument).center : argument))
    .filter((bound) => isNumeric(bound))
    .map(Number);
  return bounds.flatMap((one) => bounds.filter((other) => other > one).map((other) => (one + other) / 2));
}

/** A text that follows all parts that are about texts. */
function textSamples(parts: readonly MatcherPart[]): readonly Json[] {
  const rules = parts.flatMap(({ matcher, argument }) => matcher.textRule?.(argument) ?? []);
  const found = rules.length === 0 ? 'none' : findText(rules);
  return typeof found === 'string' ? [] : [found.text];
}
