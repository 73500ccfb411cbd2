import { counterExamples } from '../base/match/matchers/counter-examples.ts';
import { firstMatcher, matchesAbsent } from '../base/match/matchers/read-matcher.ts';
import { sampleValues } from '../base/match/matchers/sample-values.ts';
import { isJsonObject, type Json } from '../base/model/json.ts';
import type { Wanted } from './contract/assertion-kind.ts';

/** What a claim about a path in memory wants; undefined: about all of it. */
export function wantedMemory(path: string | undefined, expected: Json): Wanted {
  if (firstMatcher(expected) === undefined) {
    // What breaks a claim that something is null, or not there.
    const unwanted = expected === null && path !== undefined ? [{ memory: { path, value: 'text' } }] : [];
    return { memory_rule: { path, says: { equals: expected } }, unwanted };
  }
  const samples = sampleValues(expected);
  const sample = path === undefined ? samples.find((value) => isJsonObject(value)) : samples[0];
  // All of memory is always an object.
  const breaks = counterExamples(expected, sample).filter(
    ({ value }) => path !== undefined || isJsonObject(value),
  );
  return {
    memory_rule: { path, says: { fits: expected } },
    matcher_breaks: breaks.map(({ what, value }) => ({ what, memory: { path, value } })),
    unwanted: matchesAbsent(expected) && path !== undefined ? [{ memory: { path, value: 'text' } }] : [],
  };
}
