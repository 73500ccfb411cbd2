import { describe, expect, test } from 'vitest';
import { loadYaml } from '../formats/yaml/load-yaml.ts';
import type { Json } from '../../base/model/json.ts';
import { jsonEqual } from '../../base/match/json-equal.ts';
import * as fc from '../../../test/seeded-fast-check.ts';
import { writeYaml } from './write-yaml.ts';

/** Texts that one dialect or the other does not read as texts, or that end a line, a comment or a block. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    'yes',
    'No',
    'null',
    '~',
    '',
    ' ',
    '12:30',
    '1e3',
    '0x1F',
    '010',
    '2024-01-01',
    '<<',
    '=',
    '- a',
  ),
  fc.constantFrom(
    'a: b',
    'a #b',
    '#',
    "it's",
    '"q"',
    'a\n',
    '\na',
    'a\n b\n\n',
    'a \nb',
    'tab\t',
    '\r\n',
    '\u2028',
    '\u0085',
  ),
  fc.constantFrom(
    '# not converted: x',
    '---',
    '...',
    '| a',
    '> a',
    '[a',
    '{a',
    '@a',
    '%a',
    '!a',
    '&a',
    '*a',
    '\uFEFFa',
  ),
);
const value = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n }),
    fc.constantFrom(true, false, null),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(text, fc.constantFrom('type', 'role', '__proto__')), tie('json'), { maxKeys: 4 }),
  ),
})).json;

describe('written YAML', () => {
  test.each(['core', 'pyyaml'] as const)(
    'is read back as the same value by %s, with and without comments',
    (scalars) => {
      const comments = [
        { at: ['type'], text: 'a' },
        { at: [0, 'type', 1], text: 'not converted: b\nc: "d" \u2028' },
        { at: ['gone', 3], text: '' },
        { at: [], text: 'top' },
      ];
      fc.assert(
        fc.property(value, fc.boolean(), (written, hasComments) => {
          const yaml = writeYaml(written, hasComments ? comments : []);
          const { value: read, findings } = loadYaml(yaml, { scalars });
          expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
          expect(jsonEqual(read, written), yaml).toBe(true);
        }),
        { numRuns: 500 },
      );
    },
  );

  test('a comment comes before its value, or at the end of its parent', () => {
    const comments = [
      { at: ['list', 0, 'id'], text: 'before the item: its first key' },
      { at: ['list', 0, 'gone', 'deep'], text: 'end of the item' },
      { at: ['list', 7], text: 'end of the list' },
      { at: ['none'], text: 'end of the file' },
      { at: ['empty', 'x'], text: 'before an empty value' },
    ];
    expect(writeYaml({ list: [{ id: 'a', input: 'b' }], empty: {} }, comments)).toBe(`list:
  # before the item: its first key
  - id: a
    input: b
    # end of the item
  # end of the list
# before an empty value
empty: {}
# end of the file
`);
  });
});
