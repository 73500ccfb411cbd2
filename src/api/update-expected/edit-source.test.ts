import * as fc from '../../../test/seeded-fast-check.ts';
import { expect, test } from 'vitest';
import { parseDocument } from '../../suites/formats/document.ts';
import { hasErrors } from '../../base/model/finding.ts';
import type { Json } from '../../base/model/json.ts';
import { editSource, type EditableText } from './edit-source.ts';
import type { FailedTest } from './failed-tests.ts';

const BEFORE = '# first\n- input: hi # in\n  assert:\n    memory.x: ';
const AFTER = '\n    # last\n    output.includes: "é"   # end\n';

/** The ways in which an old value may be written. */
const OLD = [
  'old',
  "'old'",
  '"old"',
  '|\n      old',
  '>-\n      old',
  '[old]',
  '\n      - old',
  '\n      old: 1',
  '{old: 1}',
  '5',
];

function source(text: string): EditableText {
  return {
    text,
    isJson: false,
    offsetOf: () => text.indexOf('input'),
    lineOf: () => 1,
    read(edited) {
      const document = parseDocument('a.test.yaml', edited, 'pyyaml');
      return 'value' in document && !hasErrors(document.findings) ? document.value : undefined;
    },
  };
}

function failedWith(actual: Json): FailedTest {
  const place = { file: 'a.test.yaml', line: 2, column: 3 };
  const result = {
    form: 'claim',
    kind: 'memory',
    name: 'memory.x',
    weight: 1,
    passed: false,
    message: '',
    actual,
    ...place,
  };
  return {
    ...place,
    test: 'a',
    hasError: false,
    assertions: [
      {
        step: 0,
        result: result as never,
        states: { at: 'value', of: 'memory' },
        hasDisagreement: false,
        missing: [],
      },
    ],
  };
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({
    unit: fc.constantFrom(
      'a',
      ' ',
      '\n',
      '\t',
      '#',
      ':',
      '-',
      "'",
      '"',
      '\\',
      '|',
      '{',
      '[',
      '&',
      '*',
      '!',
      '%',
      '@',
      'é',
      '😀',
    ),
  }),
  fc.constantFrom(
    'yes',
    'null',
    '~',
    '010',
    '1e3',
    '12:30',
    '2026-01-02',
    '<<',
    '=',
    '---',
    '...',
    ' x',
    'x ',
    '\n',
    '[redact]',
  ),
);
const value = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 3 }),
  ),
})).value;

test('a run reads back any value that was written, and every other character stays', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...OLD), value, async (old, actual) => {
      const edited = await editSource(source(BEFORE + old + AFTER), [failedWith(actual)]);
      if (edited.updated.length === 0) {
        expect(edited.text).toBe(BEFORE + old + AFTER);
        // A float without a point is a text to PyYAML: such a value is left to a person.
        expect(edited.notUpdated[0]!.reason).toMatch(
          /already|without changing something else|nothing at this path/,
        );
        return;
      }
      expect(edited.text.startsWith(BEFORE.trimEnd())).toBe(true);
      expect(edited.text.endsWith(AFTER)).toBe(true);
      const read = source(edited.text).read(edited.text) as readonly { assert: Record<string, Json> }[];
      expect(read[0]!.assert['memory.x']).toEqual(actual);
    }),
    { numRuns: 2000, seed: 20261115 },
  );
});

test('almost every value can be written automatically', async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...OLD), value, async (old, actual) => {
      const { notUpdated } = await editSource(source(BEFORE + old + AFTER), [failedWith(actual)]);
      if (notUpdated.some(({ reason }) => reason.includes('without changing'))) refused++;
    }),
    { numRuns: 1000, seed: 7 },
  );
  expect(refused).toBeLessThanOrEqual(10);
});
