import type { AssertionOutcome } from '../../model/evidence.ts';
import type { Json } from '../../model/json.ts';
import type { UnwantedPart } from '../../model/reply-requirements.ts';
import { jsonEqual } from '../../match/json-equal.ts';
import { valueInMemory } from '../../match/memory-path.ts';
import { defineClaim } from '../contract/claim-kind.ts';
import { anyJson } from '../../schema/values.ts';

const PREFIX = 'memory.';

export const memoryPath = defineClaim({
  kind: 'memory',
  key: `${PREFIX}<path>`,
  doc: 'The value at this dot path in memory equals this; a path that does not exist equals `null`.',
  example: 'Ann',
  reads: ['memory'],
  states: { at: 'value', of: 'memory' },
  schema: {
    ...anyJson(),
    read(value, reader) {
      const path = String(reader.path.at(-1)).slice(PREFIX.length);
      if (path.split('.').includes('')) {
        reader.warning({
          code: 'empty_segment',
          message: `the path "${path}" has an empty segment, which names the key ""`,
          onKey: true,
        });
      }
      if (/\[\d+\]/.test(path)) {
        reader.warning({
          code: 'list_index',
          message: `paths enter only objects: "${path}" names a key with brackets, not an item of a list`,
          hint: 'compare the whole list',
          onKey: true,
        });
      }
      return value;
    },
  },
  parameters: (key, value) => ({ path: key.slice(PREFIX.length), value }),
  evaluate: ({ path, value }, { memoryAfter }) =>
    compareMemory(path, value, valueInMemory(memoryAfter, path)),
  oracle: ({ path, value }) => ({
    memory_rule: { path, says: { equals: value } },
    unwanted: otherThanNull(path, value),
  }),
});

/** What breaks a claim that something is null, or not there. */
export function otherThanNull(path: string, value: Json | undefined): readonly UnwantedPart[] {
  return value === null ? [{ memory: { path, value: 'text' } }] : [];
}

/** An absent path equals null, and that it is absent is said. */
export function compareMemory(path: string, expected: Json, found: Json | undefined): AssertionOutcome {
  const holds = jsonEqual(expected, found ?? null);
  if (found === undefined) {
    const message = `there is no "${path}" in memory${holds ? ', which equals null' : ''}`;
    return {
      score: holds ? 1 : 0,
      message,
      expected,
      actual: null,
      warnings: [{ code: 'absent_path', message }],
    };
  }
  return {
    score: holds ? 1 : 0,
    message: holds ? 'memory has this value' : 'memory has a different value',
    expected,
    actual: found,
  };
}
