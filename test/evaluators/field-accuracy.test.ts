import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/base/model/json.ts';
import { printJson } from '../../src/base/model/print-json.ts';
import { answer, errorOf, measure, read } from './evidence.ts';

function fields(
  list: readonly JsonObject[],
  expected: Json,
  output: string,
  more: JsonObject = {},
): ReturnType<typeof measure> {
  return measure(
    { type: 'field_accuracy', fields: list, ...more },
    { expected_messages: answer(expected), reply: { output } },
  );
}

async function one(rule: JsonObject, expected: Json, actual: Json): Promise<number> {
  return (await fields([{ path: 'v', ...rule }], { v: expected }, printJson({ v: actual }))).score;
}

/** How it is compared, the expected value, the actual one, and the score. */
const COMPARED: readonly (readonly [JsonObject, Json, Json, number])[] = [
  [{ match: 'numeric_tolerance' }, 10, 10, 1],
  [{ match: 'numeric_tolerance', tolerance: 0.1 }, 1, 1.1, 1],
  [{ match: 'numeric_tolerance', tolerance: 0.1 }, 1, 1.2, 0],
  [{ match: 'numeric_tolerance', tolerance: 0.1, relative: true }, 100, 110, 1],
  [{ match: 'numeric_tolerance', tolerance: 0.1, relative: true }, -100, -111, 0],
  [{ match: 'numeric_tolerance', tolerance: 0.1, relative: true }, 0, 0.01, 1],
  [{ match: 'numeric_tolerance', tolerance: 0.1, relative: true }, 0, 0.11, 0],
  [{ match: 'numeric_tolerance' }, 1234.5, '1,234.50', 1],
  [{ match: 'numeric_tolerance' }, '12', 12, 1],
  [{ match: 'numeric_tolerance' }, 1.5, '1,5', 0],
  [{ match: 'numeric_tolerance' }, 0, '', 0],
  [{ match: 'numeric_tolerance' }, 0, null, 0],
  [{ match: 'numeric_tolerance' }, 1, true, 0],
  [{ match: 'numeric_tolerance', tolerance: 1 }, 9007199254740993n, 9007199254740995n, 0],
  [{ match: 'numeric_tolerance', tolerance: 2 }, 9007199254740993n, 9007199254740995n, 1],
  [{ match: 'exact' }, 9007199254740993n, 9007199254740992n, 0],
  [{ match: 'exact' }, 1, '1', 0],
  [{ match: 'exact' }, { a: [1] }, { a: [1] }, 1],
  [{ match: 'date' }, '2025-01-15', '2025-01-15T10:00:00Z', 1],
  [{ match: 'date' }, '2025-01-15', '15-JAN-2025', 1],
  [{ match: 'date' }, '2025-01-15', 'January 15th, 2025', 1],
  [{ match: 'date' }, '2025-01-15', '2025-01-16', 0],
  [{ match: 'date' }, '2025-03-04', '04/03/2025', 0],
  [{ match: 'date', formats: ['DD/MM/YYYY'] }, '2025-03-04', '04/03/2025', 1],
  [{ match: 'date', formats: ['MM/DD/YYYY'] }, '2025-03-04', '04/03/2025', 0],
  [{ match: 'date', formats: ['DD-MMM-YYYY', 'YYYY-MM-DD'] }, '15-Jan-2025', '2025-01-15', 1],
  [{ match: 'date', formats: ['D.M.YY HH:mm'] }, '2025-01-05', '5.1.25 10:30', 1],
  [{ match: 'date', formats: ['DD/MM/YYYY'] }, '2024-02-29', '30/02/2024', 0],
  [{ match: 'date' }, '2025-01-15', 20250115, 0],
];

describe('field_accuracy', () => {
  it('is the weighted mean of the fields', async () => {
    const rules = [
      { path: 'invoice.number', match: 'exact', weight: 2 },
      { path: 'lines[1].price', match: 'exact' },
      { path: 'riskLevel', match: 'exact', weight: 0 },
    ];
    const expected = { invoice: { number: 'A1' }, lines: [{ price: 1 }, { price: 2 }], riskLevel: 'LOW' };
    const outcome = await fields(
      rules,
      expected,
      '```json\n{"invoice":{"number":"A1"},"lines":[{"price":1},{"price":3}]}\n```',
    );
    expect(outcome.score).toBeCloseTo(2 / 3, 12);
    expect(outcome.hits).toEqual(['invoice.number is "A1"']);
    expect(outcome.misses).toEqual(['lines[1].price: expected 2, got 3', 'riskLevel is absent']);
  });

  it('can be all or nothing, and a field of weight 0 decides nothing', async () => {
    const rules = [
      { path: 'a', match: 'exact' },
      { path: 'b', match: 'exact', weight: 0 },
    ];
    const aggregation = { aggregation: 'all_or_nothing' };
    expect((await fields(rules, { a: 1, b: 2 }, '{"a":1,"b":9}', aggregation)).score).toBe(1);
    expect((await fields(rules, { a: 1, b: 2 }, '{"a":2,"b":2}', aggregation)).score).toBe(0);
  });

  it('scores 0 for an absent required field and leaves out an optional one', async () => {
    const required = [
      { path: 'a', match: 'exact' },
      { path: 'b', match: 'exact' },
    ];
    const optional = [
      { path: 'a', match: 'exact' },
      { path: 'b', match: 'exact', required: false },
    ];
    expect((await fields(required, { a: 1, b: 2 }, '{"a":1}')).score).toBe(1 / 2);
    expect((await fields(optional, { a: 1, b: 2 }, '{"a":1}')).score).toBe(1);
    expect((await fields(optional, { a: 1, b: 2 }, '{"a":1,"b":null}')).score).toBe(1 / 2);
    expect((await fields(required, { a: 1, b: 2 }, 'no JSON')).score).toBe(0);
    expect((await fields([{ path: 'a', match: 'exact', weight: 0 }], { a: 1 }, '{"a":1}')).score).toBe(0);
  });

  it('leaves out an optional field without an expected value; a required one is an error', async () => {
    const rules = (required: boolean) => [
      { path: 'a', match: 'exact' },
      { path: 'b', match: 'exact', required, weight: 3 },
    ];
    for (const output of ['{"a":1}', '{"a":1,"b":2}']) {
      const outcome = await fields(rules(false), { a: 1 }, output);
      expect(outcome).toMatchObject({ score: 1, message: '1 of 1 fields are right', misses: [] });
      expect(outcome.details).toMatchObject({ fields: [{ score: 1 }, { path: 'b', left_out: true }] });
    }
    expect((await fields(rules(false), { a: 1 }, '{"a":2,"b":2}')).score).toBe(0);
    expect((await fields(rules(false), { a: 1 }, 'no JSON')).score).toBe(0);
    const strict = { type: 'field_accuracy', fields: rules(true) };
    const on = { expected_messages: answer({ a: 1 }), reply: { output: '{"a":1,"b":2}' } };
    expect(await errorOf(strict, on)).toContain('no expected value at b');
    // Nothing is left to compare, so it neither passes nor fails, whatever the reply is.
    const loose = { type: 'field_accuracy', fields: [rules(false)[1]!] };
    for (const output of ['{"a":1}', '{"b":2}', 'no JSON'])
      expect(await errorOf(loose, { ...on, reply: { output } })).toContain('nothing was checked');
  });

  it('is an error if there is nothing to compare with', async () => {
    const rule = { type: 'field_accuracy', fields: [{ path: 'a.b', match: 'exact', required: false }] };
    const output = '{"x":1}';
    expect(await errorOf(rule, { reply: { output } })).toContain('no expected value');
    expect(await errorOf(rule, { expected_messages: answer('words'), reply: { output } })).toContain(
      'no expected value',
    );
    expect(await errorOf(rule, { expected_messages: answer({ a: {} }), reply: { output } })).toContain(
      'no expected value at a.b',
    );
    expect(await errorOf(rule, { expected_messages: answer({ a: { b: 1 } }), reply: { output } })).toContain(
      'optional and absent',
    );
  });

  it.each(
    COMPARED.map(
      ([rule, expected, actual, score]) =>
        [printJson([rule, expected, actual]), rule, expected, actual, score] as const,
    ),
  )('%s', async (_name, rule, expected, actual, score) => {
    expect(await one(rule, expected, actual)).toBe(score);
  });

  it('is an error if the expected value is not a number or date', async () => {
    const on = { expected_messages: answer({ v: 'soon' }), reply: { output: '{"v":1}' } };
    expect(await errorOf({ type: 'field_accuracy', fields: [{ path: 'v', match: 'date' }] }, on)).toContain(
      'is not a readable date',
    );
    expect(
      await errorOf({ type: 'field_accuracy', fields: [{ path: 'v', match: 'numeric_tolerance' }] }, on),
    ).toContain('is not a number');
  });

  it('reads only own keys, quoted if they contain dots', async () => {
    const expected = JSON.parse('{"a.b":{"__proto__":[1,2]}}') as Json;
    const rules = [{ path: '["a.b"].__proto__[1]', match: 'exact' }];
    expect((await fields(rules, expected, '{"a.b":{"__proto__":[1,2]}}')).score).toBe(1);
    expect((await fields(rules, expected, '{"a.b":{}}')).score).toBe(0);
  });

  it.each(['a..b', 'a[', 'a[x]', '.a', 'a.', 'a]b'])('refuses the path %j when the file is read', (path) => {
    expect(() => read({ type: 'field_accuracy', fields: [{ path, match: 'exact' }] })).toThrow(
      'is not a path',
    );
  });

  it('refuses a format without year, month and day when the file is read', () => {
    const rule = { path: 'a', match: 'date', formats: ['%Y-%m-%d'] };
    expect(() => read({ type: 'field_accuracy', fields: [rule] })).toThrow(
      'does not name a year, a month and a day',
    );
  });
});
