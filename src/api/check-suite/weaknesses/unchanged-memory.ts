import { jsonEqual } from '../../../base/match/json-equal.ts';
import { jsonMatches } from '../../../base/match/json-matches.ts';
import { matchesAbsent } from '../../../base/match/matchers/read-matcher.ts';
import { valueInMemory } from '../../../base/match/memory-path.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../base/model/json.ts';
import type { MemoryRule } from '../../../base/model/reply-requirements.ts';
import type { PlacedAssertion } from '../assertion-results.ts';
import type { CheckableTest } from '../checkable-test.ts';
import { lastInput } from '../lazy-agents.ts';

/**
 * Assertions that memory satisfies before the first step, although the input asks for exactly that value: an agent
 * that leaves memory alone satisfies them. A value that the input does not mention should be kept; so should one
 * beside others that must change, or one where all of memory is given.
 */
export function unchangedMemory(
  { test }: CheckableTest,
  assertions: readonly PlacedAssertion[],
): readonly PlacedAssertion[] {
  const { memory } = test;
  if (memory === undefined || Object.keys(memory).length === 0) return [];
  const rules = assertions.flatMap(({ wanted }) =>
    wanted.memory_rule === undefined ? [] : [wanted.memory_rule],
  );
  if (rules.some((rule) => !holdsAtStart(memory, rule))) return [];
  return assertions.filter(({ wanted: { memory_rule: rule }, step = 0 }) => {
    if (rule?.path === undefined || rule.negate === true || !('equals' in rule.says)) return false;
    const input = lastInput(test.steps[step]!.input_messages);
    return leavesOf(rule.path, rule.says.equals).some(([key, value]) => isAskedFor(key, value, input));
  });
}

function holdsAtStart(memory: JsonObject, { path, says, negate = false }: MemoryRule): boolean {
  const value = path === undefined ? memory : valueInMemory(memory, path);
  if ('exists' in says) return ((value !== undefined) === says.exists) !== negate;
  if ('fits' in says)
    return (value === undefined ? matchesAbsent(says.fits) : jsonMatches(says.fits, value)) !== negate;
  return 'equals' in says ? jsonEqual(value ?? null, says.equals) !== negate : true;
}

function leavesOf(key: string, value: Json): readonly (readonly [string, Json])[] {
  if (isJsonObject(value)) return Object.entries(value).flatMap(([own, inner]) => leavesOf(own, inner));
  if (Array.isArray(value)) return value.flatMap((item: Json) => leavesOf(key, item));
  return [[key.split('.').at(-1)!, value]];
}

/** A value in the input asks for itself; for true and false, only the name can. */
function isAskedFor(key: string, value: Json, input: string): boolean {
  if (value === null) return false;
  if (typeof value !== 'boolean') return hasWord(input, String(value));
  const stem = key.replaceAll(/[_-]/g, ' ').slice(0, Math.max(4, key.length - 2));
  return !input.trim().endsWith('?') && input.toLowerCase().includes(stem.toLowerCase());
}

function hasWord(text: string, word: string): boolean {
  if (word.trim() === '') return false;
  const isLetter = (character: string | undefined): boolean =>
    character !== undefined && /[\p{L}\p{N}]/u.test(character);
  const [haystack, needle] = [text.toLowerCase(), word.toLowerCase()];
  for (let at = haystack.indexOf(needle); at !== -1; at = haystack.indexOf(needle, at + 1))
    if (!isLetter(haystack[at - 1]) && !isLetter(haystack[at + needle.length])) return true;
  return false;
}
