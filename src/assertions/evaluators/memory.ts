import { search } from '../../match/python-re/index.ts';
import { valueAt } from '../../match/value-at.ts';
import type { AssertionOutcome, Evidence } from '../../model/evidence.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import type { MemoryRule, UnwantedPart } from '../../model/wanted-reply.ts';
import { defineEvaluator, type EvaluatorKind } from '../contract/evaluator-kind.ts';
import type { Reader } from '../../schema/reader.ts';
import { given, refine } from '../../schema/refine.ts';
import { anyJson, boolean, describe, text } from '../../schema/values.ts';
import { compareMemory, otherThanNull } from '../claims/memory-path.ts';
import { searchOutcome } from '../search-outcome.ts';
import { checkPythonPattern } from './regex.ts';

const definition = defineEvaluator({
  kind: 'memory',
  doc: 'Checks a value in memory.',
  isBinary: true,
  fields: {
    path: { schema: text({ nonEmpty: true }), doc: 'Its path: `user.name`.', missing: 'missing_path' },
    equals: { schema: anyJson(), doc: 'It equals this.', null: 'value' },
    matches: { schema: text(), doc: 'It is text that contains a match of this Python pattern.' },
    exists: { schema: boolean(), doc: 'It exists (`true`), or does not (`false`).' },
  },
  evaluate: checkValue,
  oracle: (parameters) => ({
    about: ['memory'],
    memory_rule: { path: parameters['path'] as string, says: wantedValue(parameters) },
    unwanted: unwantedValues(parameters),
  }),
});

export const memory: EvaluatorKind = { ...definition, schema: refine(definition.schema, checkMemory) };

function checkValue(parameters: JsonObject, { memoryAfter }: Evidence): AssertionOutcome {
  const path = parameters['path'] as string;
  const found = valueAt(memoryAfter, path);
  if (typeof parameters['exists'] === 'boolean') return checkExists(path, found, parameters['exists']);
  if (typeof parameters['matches'] === 'string') return checkMatches(path, found, parameters['matches']);
  return compareMemory(path, parameters['equals']!, found);
}

function wantedValue({ equals, matches, exists }: JsonObject): MemoryRule['says'] {
  if (typeof exists === 'boolean') return { exists };
  return typeof matches === 'string' ? { matches } : { equals: equals! };
}

function unwantedValues({ path, exists, equals }: JsonObject): readonly UnwantedPart[] {
  return otherThanNull(path as string, exists === false ? null : equals);
}

function checkExists(path: string, found: Json | undefined, wanted: boolean): AssertionOutcome {
  const exists = found !== undefined;
  const message = `there is ${exists ? 'a' : 'no'} "${path}" in memory`;
  return { score: exists === wanted ? 1 : 0, message, expected: wanted, actual: exists };
}

function checkMatches(path: string, found: Json | undefined, pattern: string): AssertionOutcome {
  if (typeof found === 'string')
    return searchOutcome(pattern, found, { what: `"${path}" in memory`, find: search });
  const message =
    found === undefined
      ? `there is no "${path}" in memory`
      : `"${path}" in memory is no text, but ${describe(found)}`;
  return { score: 0, message, expected: pattern, actual: found ?? null };
}

function checkMemory(authored: Json, reader: Reader): void {
  const states = (key: string): boolean =>
    key === 'equals' ? isJsonObject(authored) && Object.hasOwn(authored, key) : given(authored, key);
  const claims = ['equals', 'matches', 'exists'].filter(states);
  if (claims.length !== 1) {
    reader.error({
      code: 'missing_field',
      message: 'exactly one of `equals`, `matches` and `exists` is needed',
    });
  } else if (given(authored, 'matches')) {
    const pattern = (authored as { matches: string }).matches;
    // A pattern for every text still asks for something: that there is a value, and that it is text.
    checkPythonPattern(pattern, reader, ['matches']);
  }
}
