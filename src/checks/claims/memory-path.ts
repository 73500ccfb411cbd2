import type { AssertionOutcome, Evidence } from '../../base/model/evidence.ts';
import type { Json } from '../../base/model/json.ts';
import { jsonMatches } from '../../base/match/json-matches.ts';
import { checkMatchers } from '../../base/match/matchers/check-matchers.ts';
import { comparable } from '../../base/match/matchers/comparable.ts';
import { matchesAbsent } from '../../base/match/matchers/read-matcher.ts';
import { shownExpected } from '../../base/match/matchers/shown-expected.ts';
import { valueInMemory } from '../../base/match/memory-path.ts';
import { defineClaim } from '../contract/claim-kind.ts';
import { unmeasured } from '../unmeasured.ts';
import { wantedMemory } from '../wanted-memory.ts';

const PREFIX = 'memory.';

export const memoryPath = defineClaim({
  kind: 'memory',
  key: `${PREFIX}<path>`,
  doc: 'The value at this dot path in memory equals or matches this; a path that does not exist equals `null`, and `{$absent: true}` is only a path that does not exist.',
  example: 'Ann',
  reads: ['memory'],
  states: { at: 'value', of: 'memory' },
  schema: {
    ...comparable(),
    read(value, reader) {
      const path = String(reader.path.at(-1)).slice(PREFIX.length);
      if (path.split('.').includes('')) {
        reader.warning({
          code: 'empty_segment',
          message: `the path "${path}" has an empty segment, which means the key ""`,
          onKey: true,
        });
      }
      if (/\[\d+\]/.test(path)) {
        reader.warning({
          code: 'list_index',
          message: `memory paths cannot index into lists: "${path}" is a key with brackets`,
          hint: 'compare the whole list',
          onKey: true,
        });
      }
      checkMatchers(value, reader);
      return value;
    },
  },
  parameters: (key, value) => ({ path: key.slice(PREFIX.length), value }),
  evaluate: ({ path, value }, evidence) => compareMemory(path, value, evidence),
  oracle: ({ path, value }) => wantedMemory(path, value),
});

/** An absent path equals null, and a warning says that it is absent. */
export function compareMemory(
  path: string,
  expected: Json,
  { memoryAfter, reply }: Evidence,
): AssertionOutcome {
  const found = valueInMemory(memoryAfter, path);
  if (found === undefined) {
    if (matchesAbsent(expected) && reply.memory === undefined) return unmeasured(NO_MEMORY);
    if (matchesAbsent(expected)) return { score: 1, message: `there is no "${path}" in memory`, expected };
    if (expected !== null)
      return {
        score: 0,
        expected,
        warnings: [{ code: 'absent_path', message: `there is no "${path}" in memory` }],
      };
    const message = `there is no "${path}" in memory, which equals null`;
    return { score: 1, message, expected, warnings: [{ code: 'absent_path', message }] };
  }
  if (jsonMatches(expected, found))
    return { score: 1, message: 'memory has this value', expected, actual: found };
  return { score: 0, expected: shownExpected(expected, found), actual: found };
}

/** For claims that something is absent. */
export const NO_MEMORY =
  'the agent reported no memory, so nothing shows that a value is absent from it\nlet the agent return `memory` (`{}` if it is empty)';
