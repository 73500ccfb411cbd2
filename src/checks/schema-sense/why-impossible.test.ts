import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../base/model/json.ts';
import { acceptsEverything } from './accepts-everything.ts';
import { sampleJson } from './sample-json.ts';
import { whyImpossible } from './why-impossible.ts';

const VALUES = JSON.parse(`[
  null, true, false, 0, 1, 2, 2.5, 5, -1, 10, "", "a", "ab", "abc", "12", [], [1], ["a"], [1, 2], [1, 1],
  {}, { "a": 1 }, { "a": "a" }, { "b": 2 }, { "a": 1, "b": 2 }, { "a": null, "b": [1] }, { "a": { "b": 1 } }
]`) as readonly Json[];

/** Always the same numbers. */
function createRandom(): (below: number) => number {
  let seed = 11;
  return (below) => (seed = (seed * 48_271) % 2_147_483_647) % below;
}

function randomSchema(next: (below: number) => number, depth: number): Json {
  if (next(12) === 0) return next(2) === 0;
  const schema: Record<string, Json> = {};
  const inner = (): Json => (depth === 0 ? {} : randomSchema(next, depth - 1));
  const pick = <T>(list: readonly T[]): T => list[next(list.length)]!;
  for (let words = next(4); words >= 0; words--)
    Object.assign(
      schema,
      pick<() => JsonObject>([
        () => ({ type: pick(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']) }),
        () => ({
          type: pick([
            ['string', 'number'],
            ['object', 'null'],
            ['integer', 'array'],
          ]),
        }),
        () => ({ minimum: next(6), maximum: next(6) }),
        () => ({ exclusiveMinimum: next(4), exclusiveMaximum: next(6), multipleOf: pick([1, 2, 0.5]) }),
        () => ({ minLength: next(4), maxLength: next(4) }),
        () => ({ pattern: pick(['^a', 'b$', '^\\d+$', 'a^']) }),
        () => ({ minItems: next(3), maxItems: next(3), items: inner() }),
        () => ({ uniqueItems: true, contains: inner() }),
        () => ({ required: pick([['a'], ['a', 'b']]), properties: { a: inner(), b: inner() } }),
        () => ({ additionalProperties: false, properties: { a: inner() } }),
        () => ({ minProperties: next(3), maxProperties: next(3) }),
        () => ({ enum: pick([[1, 'a'], [null], ['ab', '12', {}]]) }),
        () => ({ const: pick(VALUES) }),
        () => ({ not: inner() }),
        () => ({ allOf: [inner(), inner()] }),
        () => ({ anyOf: [inner(), inner()] }),
        () => ({ oneOf: [inner(), inner()] }),
        () => ({ propertyNames: { pattern: pick(['^a', '^x']) } }),
      ])(),
    );
  return schema;
}

test('no value matches a schema called impossible, and every value matches one that accepts everything', () => {
  const next = createRandom();
  let impossible = 0;
  for (let round = 0; round < 400; round++) {
    const schema = randomSchema(next, 2);
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) continue;
    const why = whyImpossible(schema as JsonObject);
    const isOpen = acceptsEverything(schema);
    if (why === undefined && !isOpen) continue;
    if (why !== undefined) impossible++;
    const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    for (const value of [...VALUES, ...sampleJson(schema as JsonObject)])
      expect({ schema, value, why, fits: fits(value) }).toEqual({ schema, value, why, fits: isOpen });
  }
  expect(impossible).toBeGreaterThan(30);
});
