import type { Json, JsonObject } from '../model/json.ts';
import { printJson } from '../model/print-json.ts';
import type { JsonDifference } from './json-diff.ts';
import { jsonEqual } from './json-equal.ts';
import { printMatcher } from './matchers/read-matcher.ts';
import { lengthOf } from './matchers/table/collections.ts';

/** What is different, for people: the first few, and how many more there are. */
export function describeDifferences(differences: readonly JsonDifference[]): string {
  const more = differences.length - MOST;
  const shown = differences.slice(0, MOST).map(describeDifference).join('; ');
  return more > 0 ? `${shown}; and ${more} more` : shown;
}

const MOST = 3;

/** Which value is different, and what it should be. */
export function describeDifference(difference: JsonDifference): string {
  const { kind, path, expected, actual } = difference;
  const matcher = describeMatcherFailure(difference);
  if (matcher !== undefined) return matcher;
  const at = path === '' ? 'the whole' : path;
  if (kind === 'missing') return `${at} is missing, expected ${short(expected)}`;
  if (kind === 'extra') return `${at} is not expected, got ${short(actual)}`;
  return `${at} is ${short(actual)}, not ${short(expected)}`;
}

/** A matcher that did not hold, for people: which one, where, and what it met. Undefined for other differences. */
export function describeMatcherFailure({
  matcher,
  kind,
  path,
  expected,
  actual,
}: JsonDifference): string | undefined {
  if (matcher === undefined) return undefined;
  const at = path === '' ? 'the value' : path;
  const shown = printMatcher(expected as JsonObject, short);
  if (kind === 'missing') return `${at} is absent, but must match ${shown}`;
  const met = short(actual);
  if (matcher === '$absent') return `${at} is ${met}, but must be absent (${shown})`;
  const length = matcher === '$length' ? lengthOf(actual!) : undefined;
  const which = length === undefined ? `is ${met}` : `has the length ${length} (${met})`;
  return `${at} ${which}, which does not match ${shown}${escapeHint(expected!, actual!)}`;
}

/** Agents that write queries send mappings that look like matchers. */
function escapeHint(expected: Json, actual: Json): string {
  return jsonEqual(expected, actual) ? '; to compare it as data write {$literal: ...}' : '';
}

/** A value in a message. */
function short(value: Json | undefined): string {
  const text = printJson(value ?? null);
  return text.length <= 40 ? text : `${text.slice(0, 37)}...`;
}
