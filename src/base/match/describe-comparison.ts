import { expectedWords } from '../model/expected-words.ts';
import { isJsonObject, ownValue, type Json } from '../model/json.ts';
import { formatPath } from '../model/place.ts';
import { printSpaced } from '../model/print-spaced.ts';
import { jsonEqual } from './json-equal.ts';
import { jsonMatches } from './json-matches.ts';
import { isMatcher, matchesAbsent, printMatcher } from './matchers/read-matcher.ts';

/** The most characters of one value in a line. */
const LONGEST = 100;
const SHOWN_BEFORE = 20;
const MOST_PARTS = 3;

/**
 * Why a comparison failed, in one line: `expected "30 days", got "Your refund is on its way."`. Of two objects, what
 * differs. `actual` undefined: there is no such value.
 */
export function describeComparison(expected: Json, actual: Json | undefined): string {
  const parts = differingParts(expected, actual, []);
  const shown = parts.slice(0, MOST_PARTS).map(({ path, ...part }) => {
    const text = values(part.expected, part.actual);
    return path.length === 0 ? text : `${formatPath(path)}: ${text}`;
  });
  const more = parts.length - shown.length;
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

interface Part {
  readonly path: readonly string[];
  readonly expected: Json | undefined;
  readonly actual: Json | undefined;
}

/** Lists are shown whole: what is missing in one moves everything behind it. */
function differingParts(expected: Json, actual: Json | undefined, path: readonly string[]): readonly Part[] {
  if (!isJsonObject(expected) || !isJsonObject(actual) || isMatcher(expected))
    return [{ path, expected, actual }];
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  const parts = [...keys].flatMap((key) => {
    const [wanted, found] = [ownValue(expected, key), ownValue(actual, key)];
    if (wanted === undefined) return [{ path: [...path, key], expected: wanted, actual: found }];
    const isFine = found === undefined ? matchesAbsent(wanted) : jsonMatches(wanted, found);
    return isFine ? [] : differingParts(wanted, found, [...path, key]);
  });
  return parts.length === 0 && path.length === 0 ? [{ path, expected, actual }] : parts;
}

function values(expected: Json | undefined, actual: Json | undefined): string {
  const areAlike = typeof expected === typeof actual;
  const [one, other] = [ruleOrValue(expected), actual === undefined ? 'absent' : printSpaced(actual)];
  const start = areAlike ? startOfDifference(one, other) : 0;
  const from = areAlike || typeof actual !== 'string' ? start : placeOf(expected, other);
  // Agents that write queries send mappings that look like matchers.
  const isData = isMatcher(expected) && actual !== undefined && jsonEqual(expected, actual);
  const hint = isData ? '; to compare it as data write {$literal: ...}' : '';
  return `expected ${cut(one, start)}, got ${cut(other, from)}${hint}`;
}

function ruleOrValue(value: Json | undefined): string {
  if (value === undefined) return 'absent';
  return expectedWords(value) ?? (isMatcher(value) ? printMatcher(value, printSpaced) : printSpaced(value));
}

/** At most so much of a printed value. A string keeps its quotes. */
function cut(text: string, start: number): string {
  const [open, inner] = text.startsWith('"') ? ['"', text.slice(1, -1)] : ['', text];
  const from = Math.max(0, start - open.length);
  const rest = inner.length > from + LONGEST ? '…' : '';
  return `${open}${from > 0 ? '…' : ''}${excerpt(inner, from)}${rest}${open}`;
}

/** Without half of a surrogate pair at its ends, or of an escape at its end. */
function excerpt(text: string, start: number): string {
  return text
    .slice(start, start + LONGEST)
    .replace(/^[\udc00-\udfff]/, '')
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/(?<!\\)(?:\\\\)*\\(?:u[\da-f]{0,3})?$/, (escape) =>
      escape.replace(/\\(?:u[\da-f]{0,3})?$/, ''),
    );
}

/** Two long values that begin alike are shown from a little before their first difference. */
function startOfDifference(one: string, other: string): number {
  if (Math.max(one.length, other.length) <= LONGEST) return 0;
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  return same <= 2 * SHOWN_BEFORE ? 0 : same - SHOWN_BEFORE;
}

/** A long output is shown from a little before the text that must not be in it. */
function placeOf(rule: Json | undefined, output: string): number {
  if (!isJsonObject(rule) || output.length <= LONGEST) return 0;
  const [inner] = Object.values(rule);
  if (typeof inner !== 'string') return placeOf(inner, output);
  const found = output.indexOf(printSpaced(inner).slice(1, -1));
  return found <= 2 * SHOWN_BEFORE ? 0 : found - SHOWN_BEFORE;
}
