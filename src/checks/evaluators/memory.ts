import { search } from '../../base/match/python-re/index.ts';
import { comparable } from '../../base/match/matchers/comparable.ts';
import { valueInMemory } from '../../base/match/memory-path.ts';
import type { AssertionOutcome, Evidence } from '../../base/model/evidence.ts';
import { isJsonObject, type Json } from '../../base/model/json.ts';
import { defineEvaluator } from '../contract/evaluator-kind.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { given } from '../../base/schema/refine.ts';
import { boolean, text } from '../../base/schema/values.ts';
import { compareMemory, NO_MEMORY } from '../claims/memory-path.ts';
import { unmeasured } from '../unmeasured.ts';
import { wantedMemory } from '../wanted-memory.ts';
import { searchOutcome } from '../search-outcome.ts';
import { checkPythonPattern } from './regex.ts';

interface MemoryParameters {
  readonly path: string;
  readonly equals?: Json;
  readonly matches?: string;
  readonly exists?: boolean;
}

export const memory = defineEvaluator({
  kind: 'memory',
  doc: 'Checks a value in memory.',
  example: { path: 'user.name', equals: 'Ann' },
  reads: ['memory'],
  isBinary: true,
  fields: {
    path: { schema: text({ nonEmpty: true }), doc: 'Its path: `user.name`.', missing: 'missing_path' },
    equals: { schema: comparable(), doc: 'It equals or matches this.', null: 'value' },
    matches: { schema: text(), doc: 'It is text that contains a match of this Python pattern.' },
    exists: { schema: boolean(), doc: 'It exists (`true`), or does not (`false`).' },
  },
  check: checkMemory,
  evaluate: checkValue,
  oracle({ path, equals, matches, exists }) {
    if (matches !== undefined) return { memory_rule: { path, says: { matches } } };
    if (exists === undefined) return wantedMemory(path, equals!);
    const unwanted = exists ? [] : [{ memory: { path, value: 'text' } }];
    return { memory_rule: { path, says: { exists } }, unwanted };
  },
});

function checkValue(
  { path, equals, matches, exists }: MemoryParameters,
  evidence: Evidence,
): AssertionOutcome {
  const found = valueInMemory(evidence.memoryAfter, path);
  if (exists === false && evidence.reply.memory === undefined) return unmeasured(NO_MEMORY);
  if (exists !== undefined) return checkExists(path, found, exists);
  if (matches !== undefined) return checkMatches(path, found, matches);
  return compareMemory(path, equals!, evidence);
}

function checkExists(path: string, found: Json | undefined, wanted: boolean): AssertionOutcome {
  const exists = found !== undefined;
  const message = `there is ${exists ? 'a' : 'no'} "${path}" in memory`;
  return { score: exists === wanted ? 1 : 0, message, expected: wanted, actual: exists };
}

function checkMatches(path: string, found: Json | undefined, pattern: string): AssertionOutcome {
  if (typeof found === 'string')
    return searchOutcome(pattern, found, { what: `"${path}" in memory`, find: search });
  return { score: 0, expected: { $regex: pattern }, actual: found };
}

function checkMemory(authored: Json, reader: Reader, { matches }: MemoryParameters): void {
  const states = (key: string): boolean =>
    key === 'equals' ? isJsonObject(authored) && Object.hasOwn(authored, key) : given(authored, key);
  const claims = ['equals', 'matches', 'exists'].filter(states);
  if (claims.length !== 1) {
    reader.error({
      code: 'missing_field',
      message: 'exactly one of `equals`, `matches` and `exists` is needed',
    });
  } else if (matches !== undefined) {
    // A pattern for every text still asks for something: that there is a value, and that it is text.
    checkPythonPattern(matches, reader, ['matches']);
  }
}
