import { search } from '../../../base/match/python-re/index.ts';
import { jsonEqual } from '../../../base/match/json-equal.ts';
import { jsonMatches } from '../../../base/match/json-matches.ts';
import { counterExamples } from '../../../base/match/matchers/counter-examples.ts';
import { matchesAbsent } from '../../../base/match/matchers/read-matcher.ts';
import { sampleValues } from '../../../base/match/matchers/sample-values.ts';
import { findText } from '../../../base/match/text-language/find-text.ts';
import { valueInMemory } from '../../../base/match/memory-path.ts';
import { isJsonObject, ownValue, setOwn, type Json, type JsonObject } from '../../../base/model/json.ts';
import type { TextRule } from '../../../base/model/text-rule.ts';
import type { MemoryRule, RequiredValue } from '../../../base/model/reply-requirements.ts';

/** Memory that follows all rules, and keeps what was there before. */
export function oracleMemory(before: JsonObject, rules: readonly MemoryRule[]): JsonObject {
  const whole = rules.find(({ path, negate }) => path === undefined && negate !== true)?.says;
  if (whole !== undefined && 'equals' in whole) return whole.equals as JsonObject;
  const sample =
    whole !== undefined && 'fits' in whole ? sampleValues(whole.fits).find(isJsonObject) : undefined;
  if (sample !== undefined) return sample;
  const placed = rules.filter((rule): rule is PlacedRule => rule.path !== undefined);
  // Paths inside a given value come after it; example values give way to given ones.
  const ordered = placed.toSorted(
    (a, b) => rank(a) - rank(b) || a.path.split('.').length - b.path.split('.').length,
  );
  return ordered.reduce((memory, rule) => follow(memory, rule, placed), before);
}

type PlacedRule = MemoryRule & { readonly path: string };

function rank({ says, negate = false }: MemoryRule): number {
  if ('exists' in says && says.exists === negate) return 0;
  return ('equals' in says || 'fits' in says) && !negate ? 1 : 2;
}

function follow(
  memory: JsonObject,
  { path, says, negate = false }: PlacedRule,
  all: readonly PlacedRule[],
): JsonObject {
  const found = valueInMemory(memory, path);
  if ('exists' in says) {
    if (says.exists === negate) return without(memory, path.split('.'));
    return found === undefined ? withValue(memory, { path, value: 'text' }) : memory;
  }
  if ('equals' in says) {
    const { equals } = says;
    const holds = jsonEqual(found ?? null, equals);
    if (negate) return holds ? withValue(memory, { path, value: 'another value' }) : memory;
    // An absent value equals null; if it must exist too, it is null.
    const isMissing = found === undefined && all.some((rule) => rule.path === path && isThere(rule));
    return holds && !isMissing ? memory : withValue(memory, { path, value: equals });
  }
  if ('fits' in says) return followMatchers(memory, { path, expected: says.fits, negate }, all);
  const holds = typeof found === 'string' && isFound(says.matches, found);
  if (holds !== negate) return memory;
  const text = textAt(path, all);
  return text === undefined ? memory : withValue(memory, { path, value: text });
}

interface ExpectedValue {
  readonly path: string;
  readonly expected: Json;
  readonly negate: boolean;
}

/** A value that the matchers accept, or refuse if negated, and the other rules about the same path too. */
function followMatchers(
  memory: JsonObject,
  { path, expected, negate }: ExpectedValue,
  all: readonly PlacedRule[],
): JsonObject {
  const found = valueInMemory(memory, path);
  if (accepts(expected, found) !== negate) return memory;
  const values: readonly (Json | undefined)[] = negate
    ? counterExamples(expected, sampleValues(expected)[0]).map(({ value }) => value)
    : sampleValues(expected);
  const rules = all.filter((rule) => rule.path === path);
  const isRight = (value: Json | undefined): boolean => rules.every((rule) => obeys(rule, value));
  const value = values.find(isRight) ?? values[0];
  return value === undefined ? without(memory, path.split('.')) : withValue(memory, { path, value });
}

function obeys({ says, negate = false }: PlacedRule, value: Json | undefined): boolean {
  if ('fits' in says) return accepts(says.fits, value) !== negate;
  if ('equals' in says) return jsonEqual(value ?? null, says.equals) !== negate;
  if ('exists' in says) return (value !== undefined) === (says.exists !== negate);
  return (typeof value === 'string' && isFound(says.matches, value)) !== negate;
}

function accepts(expected: Json, value: Json | undefined): boolean {
  return value === undefined ? matchesAbsent(expected) : jsonMatches(expected, value);
}

function isThere({ says, negate = false }: MemoryRule): boolean {
  return 'exists' in says && says.exists !== negate;
}

/** A string that matches, or does not match, all patterns of one path. */
function textAt(path: string, all: readonly PlacedRule[]): string | undefined {
  const rules = all.flatMap(({ path: other, says, negate }): readonly TextRule[] => {
    if (other !== path || !('matches' in says)) return [];
    const rule = { type: 'pattern', pattern: says.matches } as const;
    return [negate === true ? { type: 'not', rule } : rule];
  });
  const found = findText(rules);
  return typeof found === 'string' ? undefined : found.text;
}

function isFound(pattern: string, text: string): boolean {
  try {
    return search(pattern, text) !== null;
  } catch {
    return false;
  }
}

export function withValue(memory: JsonObject, { path, value }: RequiredValue): JsonObject {
  return put(memory, path.split('.'), value);
}

function put(into: JsonObject, [key, ...deeper]: readonly string[], value: Json): JsonObject {
  const copy: Record<string, Json> = {};
  for (const other of Object.keys(into)) setOwn(copy, other, into[other]!);
  const inner = ownValue(into, key!);
  setOwn(copy, key!, deeper.length === 0 ? value : put(isJsonObject(inner) ? inner : {}, deeper, value));
  return copy;
}

export function without(from: JsonObject, [key, ...deeper]: readonly string[]): JsonObject {
  const copy: Record<string, Json> = {};
  for (const other of Object.keys(from)) {
    const inner = from[other]!;
    if (other !== key) setOwn(copy, other, inner);
    else if (deeper.length > 0) setOwn(copy, other, isJsonObject(inner) ? without(inner, deeper) : inner);
  }
  return copy;
}
