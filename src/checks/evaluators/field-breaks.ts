import { parseFieldPath, valueAtFieldPath } from '../../base/match/field-path.ts';
import { jsonMatches } from '../../base/match/json-matches.ts';
import { counterExamples } from '../../base/match/matchers/counter-examples.ts';
import { matchesAbsent } from '../../base/match/matchers/read-matcher.ts';
import type { Json } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { MatcherBreak } from '../../base/model/reply-requirements.ts';
import type { FieldRule } from './compare-field.ts';

/** For each matcher that one of the fields compares, an answer that this field must notice. */
export function fieldBreaks(
  fields: readonly FieldRule[],
  expected: Json,
  sample: Json,
): readonly MatcherBreak[] {
  return counterExamples(expected, sample).flatMap(({ what, value }) =>
    value !== undefined && fields.some((field) => notices(field, expected, value))
      ? [{ what, output: printJson(value) }]
      : [],
  );
}

function notices({ path, required = true, weight = 1 }: FieldRule, expected: Json, actual: Json): boolean {
  const segments = parseFieldPath(path)!;
  const wanted = valueAtFieldPath(expected, segments);
  if (wanted === undefined || weight === 0) return false;
  const found = valueAtFieldPath(actual, segments);
  return found === undefined ? required && !matchesAbsent(wanted) : !jsonMatches(wanted, found);
}
