import { describe, expect, test } from 'vitest';
import { parseCase } from '../../../../test/formats/parse-case.ts';
import { createAssertionKinds } from '../../../checks/registry.ts';
import type { JsonObject } from '../../../base/model/json.ts';
import type { MemoryRule } from '../../../base/model/reply-requirements.ts';
import type { PlacedAssertion } from '../assertion-results.ts';
import type { CheckableTest } from '../checkable-test.ts';
import { withInlineFiles } from '../inline-files.ts';
import { outvotedChecks } from './outvoted-checks.ts';
import { unchangedMemory } from './unchanged-memory.ts';

const kinds = createAssertionKinds();

describe('memory that satisfies the assertion from the start', () => {
  function unchanged(
    memory: JsonObject | undefined,
    input: string,
    ...rules: readonly MemoryRule[]
  ): readonly number[] {
    const own = {
      test: { memory, steps: [{ input_messages: [{ role: 'user', content: input }] }] },
    } as unknown as CheckableTest;
    const assertions = rules.map(
      (memory_rule) =>
        ({ step: 0, wanted: { about: ['memory'], memory_rule } }) as unknown as PlacedAssertion,
    );
    const found = unchangedMemory(own, assertions);
    return assertions.flatMap((each, index) => (found.includes(each) ? [index] : []));
  }
  const equals = (path: string | undefined, value: unknown, negate?: boolean): MemoryRule => ({
    path,
    says: { equals: value as never },
    negate,
  });

  test.each<[string, JsonObject | undefined, string, readonly MemoryRule[], readonly number[]]>([
    ['a value that the input names', { city: 'Bern' }, 'I live in Bern.', [equals('city', 'Bern')], [0]],
    ['in another case', { city: 'Bern' }, 'i live in BERN', [equals('city', 'Bern')], [0]],
    ['a number', { n: 7 }, 'make it 7', [equals('n', 7)], [0]],
    ['a part of a word is none', { city: 'Bern' }, 'Bernard lives here', [equals('city', 'Bern')], []],
    [
      'a part of a word, and the word later',
      { city: 'Bern' },
      'Bernard lives in Bern',
      [equals('city', 'Bern')],
      [0],
    ],
    ['the end of a word is none', { n: 7 }, 'at 17 and 77', [equals('n', 7)], []],
    ['a value that nobody speaks of is to be kept', { city: 'Bern' }, 'hello', [equals('city', 'Bern')], []],
    ['inside of an object', { a: { city: 'Bern' } }, 'Bern, please', [equals('a', { city: 'Bern' })], [0]],
    ['inside of a list', { a: ['x', 'Bern'] }, 'Bern, please', [equals('a', ['x', 'Bern'])], [0]],
    [
      'another must change',
      { city: 'Bern', n: 1 },
      'Bern and 2',
      [equals('city', 'Bern'), equals('n', 2)],
      [],
    ],
    [
      'one must not be there, and is',
      { city: 'Bern' },
      'Bern',
      [equals('city', 'Bern'), { path: 'city', says: { exists: false } }],
      [],
    ],
    ['all of memory is given', { city: 'Bern' }, 'Bern', [equals(undefined, { city: 'Bern' })], []],
    ['negated', { city: 'Bern' }, 'Bern', [equals('city', 'Rome', true)], []],
    ['no memory', undefined, 'Bern', [equals('city', null)], []],
    ['empty memory', {}, 'Bern', [equals('city', null)], []],
    ['nothing', { city: null }, 'null', [equals('city', null)], []],
    ['blank', { city: ' ' }, 'a b', [equals('city', ' ')], []],
    ['yes, by its name', { dark_mode: true }, 'Turn dark mode on', [equals('dark_mode', true)], [0]],
    ['yes, but it is a question', { dark_mode: true }, 'Is dark mode on?', [equals('dark_mode', true)], []],
    ['yes, of something else', { dark_mode: true }, 'Turn it on', [equals('dark_mode', true)], []],
  ])('%s', (_, memory, input, rules, found) => {
    expect(unchanged(memory, input, ...rules)).toEqual(found);
  });
});

describe('evaluators that are outvoted', () => {
  function outvoted(evaluators: readonly object[], more: object = {}, threshold = 0.8) {
    const { test: parsed } = parseCase({ id: 'a', input: 'q', evaluators, ...more }, 'yaml');
    return outvotedChecks(parsed!, threshold, kinds).map(({ assertion, count, score }) => [
      assertion.name,
      count,
      Number(score.toFixed(3)),
    ]);
  }
  const texts = (count: number, more: object = {}) =>
    Array.from({ length: count }, (_, index) => ({
      name: `e${index}`,
      type: 'contains',
      value: `v${index}`,
      ...more,
    }));

  test('are found among many equal ones if a single one does not matter', () => {
    expect(outvoted(texts(4))).toEqual([]);
    expect(outvoted(texts(5))).toEqual([['e0', 5, 0.8]]);
    expect(outvoted(texts(10))).toEqual([['e0', 10, 0.9]]);
    expect(outvoted(texts(10), {}, 0.95)).toEqual([]);
  });

  test('are not reported if the author set a threshold, weights or a required evaluator', () => {
    expect(outvoted(texts(5), { threshold: 0.5 })).toEqual([]);
    expect(outvoted([...texts(5), { name: 'r', type: 'contains', value: 'r', required: true }])).toEqual([]);
    expect(
      outvoted([
        { name: 'a', type: 'contains', value: 'a', weight: 9 },
        { name: 'b', type: 'contains', value: 'b' },
      ]),
    ).toEqual([]);
    expect(
      outvoted([
        { name: 'a', type: 'contains', value: 'a', weight: 99 },
        { name: 'b', type: 'contains', value: 'b', weight: 1 },
      ]),
    ).toEqual([['b', 2, 0.99]]);
    expect(outvoted([...texts(4), { name: 'w', type: 'contains', value: 'w', weight: 2 }])).toEqual([
      ['e0', 5, 0.833],
    ]);
    expect(outvoted([...texts(5), { name: 'z', type: 'contains', value: 'z', weight: 0 }])).toEqual([
      ['e0', 5, 0.8],
    ]);
  });

  test('are found inside a composite too', () => {
    const composite = (count: number) => ({
      name: 'c',
      type: 'composite',
      evaluators: texts(count),
      aggregator: { type: 'weighted_average' },
    });
    expect(outvoted([composite(4)])).toEqual([]);
    expect(outvoted([composite(5)])).toEqual([['e0', 5, 0.8]]);
    expect(outvoted([composite(3), { name: 'x', type: 'contains', value: 'x' }])).toEqual([['e0', 3, 0.833]]);
  });
});

test('the text of named files is included, also in nested assertions', () => {
  const read = (path: string): string | undefined =>
    path === 'a.schema.json' ? '{"type":"object"}' : undefined;
  const inlined = (evaluator: object) => {
    const { test: parsed } = parseCase({ id: 'a', input: 'q', evaluators: [evaluator] }, 'yaml');
    const whole = withInlineFiles(parsed!, kinds, read);
    return {
      isSame: whole === parsed,
      text: JSON.stringify([whole.assertions, whole.steps.map(({ assertions }) => assertions)]),
    };
  };
  const schema = { type: 'is_json', schema: 'a.schema.json' };
  expect(inlined(schema)).toMatchObject({ isSame: false, text: expect.stringContaining('object') as string });
  expect(
    inlined({ type: 'composite', evaluators: [schema], aggregator: { type: 'weighted_average' } }),
  ).toMatchObject({ isSame: false, text: expect.stringContaining('"type":"object"') as string });
  expect(inlined({ ...schema, schema: 'gone.json' }).isSame).toBe(true);
  expect(inlined({ type: 'contains', value: 'x' }).isSame).toBe(true);
});
