import { counterExamples } from '../base/match/matchers/counter-examples.ts';
import { firstMatcher } from '../base/match/matchers/read-matcher.ts';
import { sampleValues } from '../base/match/matchers/sample-values.ts';
import type { Json } from '../base/model/json.ts';
import type { MatcherBreak, RequiredCall } from '../base/model/reply-requirements.ts';

/** The input of a required call: itself, or one that its matchers accept. */
export function requiredInput(expected: Json | undefined): Pick<RequiredCall, 'input' | 'fits'> {
  if (expected === undefined) return {};
  if (firstMatcher(expected) === undefined) return { input: expected };
  return { input: sampleValues(expected)[0], fits: expected };
}

/** For each matcher in the input of a call, the same call with an input that this matcher must notice. */
export function callBreaks({ tool, input, fits, isMost = false }: RequiredCall): readonly MatcherBreak[] {
  if (fits === undefined || input === undefined) return [];
  return counterExamples(fits, input).flatMap(({ what, value }) =>
    // Where keys may be missing, an absent one breaks nothing.
    value === undefined || (isMost && isSmaller(value, input))
      ? []
      : [{ what: `${what} of ${tool}`, call: { tool, from: input, to: value } }],
  );
}

function isSmaller(value: Json, than: Json): boolean {
  const size = (one: Json): number => (typeof one === 'object' && one !== null ? Object.keys(one).length : 0);
  return size(value) < size(than);
}
