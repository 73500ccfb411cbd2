import { search } from '../../../base/match/python-re/index.ts';
import { jsonEqual } from '../../../base/match/json-equal.ts';
import { jsonMatches } from '../../../base/match/json-matches.ts';
import { acceptedTypes } from '../../../base/match/matchers/accepted-types.ts';
import { isMatcher, matchesAbsent } from '../../../base/match/matchers/read-matcher.ts';
import { findText } from '../../../base/match/text-language/find-text.ts';
import { isJsonObject, ownValue, type Json } from '../../../base/model/json.ts';
import type { TextRule } from '../../../base/model/text-rule.ts';
import type { MemoryRule } from '../../../base/model/reply-requirements.ts';

/** Whether no memory can follow all of the rules. */
export function isImpossibleMemory(rules: readonly MemoryRule[]): boolean {
  const placed = rules.map(toPlaced);
  return (
    placed.some((rule) => placed.some((other) => rule !== other && excludes(rule, other))) ||
    placed.some((rule) => hasNoText(rule, placed))
  );
}

interface PlacedRule {
  readonly path: readonly string[];
  readonly says: MemoryRule['says'];
  readonly negate: boolean;
}

/** There are two ways to say that something must be absent. */
function toPlaced({ path, says, negate = false }: MemoryRule): PlacedRule {
  const segments = path === undefined ? [] : path.split('.');
  if ('exists' in says) return { path: segments, says: { exists: says.exists !== negate }, negate: false };
  return { path: segments, says, negate };
}

/** Whether one rule about a path contradicts another rule about the same path, or about one inside it. */
function excludes(outer: PlacedRule, inner: PlacedRule): boolean {
  if (outer.negate || !outer.path.every((segment, at) => segment === inner.path[at])) return false;
  const below = inner.path.slice(outer.path.length);
  const { says } = outer;
  if ('equals' in says) {
    // An absent path equals null too, so null leaves open whether it exists.
    const isAboutAbsence = 'exists' in inner.says || ('fits' in inner.says && matchesAbsent(inner.says.fits));
    if (says.equals === null && below.length === 0 && isAboutAbsence) return false;
    return !holds(inner, valueBelow(says.equals, below));
  }
  if ('exists' in says) return !says.exists && !holds(inner, undefined);
  if ('fits' in says) return matchersExclude(says.fits, inner, below);
  // A string contains nothing.
  return below.length > 0 && !holds(inner, undefined);
}

/** The same for an outer value with matchers, as far as plain keys lead into it. */
function matchersExclude(outer: Json, inner: PlacedRule, below: readonly string[]): boolean {
  let expected: Json | undefined = outer;
  for (const segment of below) {
    if (!acceptedTypes(expected).includes('object')) return !holds(inner, undefined);
    if (isMatcher(expected) || !isJsonObject(expected)) return false;
    expected = ownValue(expected, segment);
    if (expected === undefined) return !holds(inner, undefined);
  }
  const { says, negate } = inner;
  if (negate || !('equals' in says) || (says.equals === null && matchesAbsent(expected))) return false;
  return !mayFit(expected, says.equals, false);
}

function valueBelow(root: Json, path: readonly string[]): Json | undefined {
  let value: Json | undefined = root;
  for (const segment of path) value = isJsonObject(value) ? ownValue(value, segment) : undefined;
  return value;
}

function holds({ says, negate }: PlacedRule, value: Json | undefined): boolean {
  if ('exists' in says) return (value !== undefined) === says.exists;
  if ('equals' in says) return jsonEqual(value ?? null, says.equals) !== negate;
  if ('fits' in says) return mayFit(says.fits, value, negate);
  return (typeof value === 'string' && isFound(says.matches, value)) !== negate;
}

function mayFit(expected: Json, value: Json | undefined, negate: boolean): boolean {
  try {
    return (value === undefined ? matchesAbsent(expected) : jsonMatches(expected, value)) !== negate;
  } catch {
    // A pattern that takes too long: then nothing is claimed.
    return true;
  }
}

/** This would take too long: then nothing is claimed. */
function isFound(pattern: string, text: string): boolean {
  try {
    return search(pattern, text) !== null;
  } catch {
    return true;
  }
}

/** A path must hold a string, but no string matches. */
function hasNoText({ path, says, negate }: PlacedRule, all: readonly PlacedRule[]): boolean {
  if (negate || !('matches' in says)) return false;
  const rules = all.flatMap((other): readonly TextRule[] => {
    if (!('matches' in other.says) || other.path.join('.') !== path.join('.')) return [];
    const rule = { type: 'pattern', pattern: other.says.matches } as const;
    return [other.negate ? { type: 'not', rule } : rule];
  });
  return findText(rules) === 'none';
}
