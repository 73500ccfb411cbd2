import { isSameDay, readDate, type CalendarDay } from '../../base/match/read-date.ts';
import { isNear, readNumber } from '../../base/match/read-number.ts';
import { describeDifferences } from '../../base/match/describe-difference.ts';
import { jsonDiff } from '../../base/match/json-diff.ts';
import { jsonMatches } from '../../base/match/json-matches.ts';
import { firstMatcher } from '../../base/match/matchers/read-matcher.ts';
import type { Json } from '../../base/model/json.ts';
import { formatPercent } from '../../base/model/percent.ts';
import { printJson } from '../../base/model/print-json.ts';

export interface FieldRule {
  readonly path: string;
  readonly match: 'exact' | 'numeric_tolerance' | 'date';
  readonly required?: boolean;
  readonly weight?: number;
  readonly tolerance?: number;
  readonly relative?: boolean;
  readonly formats?: readonly string[];
}

/** The expected value is not a number or date, so nothing can be compared with it. */
export class UnreadableField extends Error {
  override readonly name = 'UnreadableField';
}

/** Whether a field is as expected, with a short explanation. */
export function compareField(
  rule: FieldRule,
  expected: Json,
  actual: Json,
): { readonly holds: boolean; readonly note: string } {
  if (rule.match !== 'exact' && firstMatcher(expected) !== undefined)
    throw new UnreadableField(
      `the expected value is a matcher, which \`match: ${rule.match}\` cannot compare: write match: exact`,
    );
  const holds = COMPARISONS[rule.match](rule, expected, actual);
  const failed = holds ? undefined : matcherFailure(rule.path, expected, actual);
  return {
    holds,
    note: holds
      ? `${rule.path} is ${show(actual)}`
      : (failed ?? `${rule.path}: expected ${show(expected)}${leeway(rule)}, got ${show(actual)}`),
  };
}

function matcherFailure(root: string, expected: Json, actual: Json): string | undefined {
  return firstMatcher(expected) === undefined
    ? undefined
    : describeDifferences(jsonDiff(expected, actual, { root }));
}

type Comparison = (rule: FieldRule, expected: Json, actual: Json) => boolean;

const COMPARISONS: Readonly<Record<FieldRule['match'], Comparison>> = {
  exact: (_rule, expected, actual) => jsonMatches(expected, actual),

  numeric_tolerance({ tolerance = 0, relative = false }, expected, actual) {
    const wanted = readNumber(expected);
    if (wanted === undefined)
      throw new UnreadableField(`the expected value ${show(expected)} is not a number`);
    const found = readNumber(actual);
    return found !== undefined && isNear(wanted, found, { tolerance, relative });
  },

  date({ formats = [] }, expected, actual) {
    const wanted = dayOf(expected, formats);
    if (wanted === undefined) {
      const advice =
        formats.length === 0 ? 'name its format in `formats`' : 'it matches none of the `formats`';
      throw new UnreadableField(`the expected value ${show(expected)} is not a readable date: ${advice}`);
    }
    const found = dayOf(actual, formats);
    return found !== undefined && isSameDay(wanted, found);
  },
};

function dayOf(value: Json, formats: readonly string[]): CalendarDay | undefined {
  return typeof value === 'string' ? readDate(value, formats) : undefined;
}

function leeway({ match, tolerance = 0, relative = false }: FieldRule): string {
  if (match !== 'numeric_tolerance' || tolerance === 0) return '';
  return relative ? ` (within ${formatPercent(tolerance)})` : ` (within ${tolerance})`;
}

function show(value: Json): string {
  const text = printJson(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}
