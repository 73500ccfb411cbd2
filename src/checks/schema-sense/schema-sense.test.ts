import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../base/model/json.ts';
import { acceptsEverything } from './accepts-everything.ts';
import { schemaWeaknesses } from './schema-weaknesses.ts';
import { resolveReference } from './resolve-reference.ts';
import { weakAnswers } from './weak-answers.ts';
import { whyImpossible } from './why-impossible.ts';

test.each<[Json, boolean]>([
  [true, true],
  [false, false],
  [{}, true],
  ['x', false],
  [{ title: 'T', $schema: 's', $defs: { a: false }, format: 'email' }, true],
  [{ type: 'object' }, false],
  [{ type: ['object', 'array', 'string', 'number', 'boolean', 'null'] }, true],
  [{ type: ['object', 'array', 'string', 'number', 'boolean'] }, false],
  [{ properties: { a: true, b: {} } }, true],
  [{ properties: { a: true, b: { type: 'string' } } }, false],
  [{ properties: [] }, false],
  [{ patternProperties: { x: {} } }, true],
  [{ items: {} }, true],
  [{ items: { minLength: 1 } }, false],
  [{ additionalProperties: true }, true],
  [{ additionalProperties: false }, false],
  [{ propertyNames: {} }, true],
  [{ required: [] }, true],
  [{ required: ['a'] }, false],
  [{ minLength: 0, minItems: 0, minProperties: 0 }, true],
  [{ minLength: 1 }, false],
  [{ minItems: 1 }, false],
  [{ uniqueItems: false }, true],
  [{ uniqueItems: true }, false],
  [{ allOf: [{}, true] }, true],
  [{ allOf: [{}, false] }, false],
  [{ anyOf: [false, {}] }, true],
  [{ anyOf: [false, { type: 'string' }] }, false],
  [{ not: false }, true],
  [{ not: {} }, false],
  [{ enum: [1] }, false],
])('%j accepts everything: %s', (schema, expected) => {
  expect(acceptsEverything(schema)).toBe(expected);
});

describe('answers that a schema accepts by mistake', () => {
  /** The outputs by the codes. */
  const weak = (schema: Json | undefined) =>
    weakAnswers(schema)
      .flat()
      .map(({ code, output }) => [code, output]);

  test.each<[Json | undefined, readonly (readonly string[])[]]>([
    [undefined, []],
    ['x', []],
    [{}, []],
    [{ type: 'object', properties: { a: { type: 'string' } } }, [['empty_json_passes', '{}']]],
    [{ type: 'object', properties: {} }, []],
    [{ type: 'array' }, [['empty_json_passes', '[]']]],
    [{ type: 'array', minItems: 0 }, []],
    [{ type: 'array', maxItems: 0 }, []],
    [{ type: 'array', maxItems: 2 }, [['empty_json_passes', '[]']]],
    [{ minLength: 2 }, [['untyped_schema', '5']]],
    [{ minimum: 2 }, [['untyped_schema', '"x"']]],
    [
      { required: ['a'] },
      [
        ['untyped_schema', '"x"'],
        ['untyped_schema', '5'],
      ],
    ],
    // Two kinds of values are described: who wrote that has thought of types.
    [{ minimum: 2, minLength: 2 }, []],
    [{ enum: ['a'] }, []],
  ])('%j', (schema, expected) => {
    expect(weak(schema)).toEqual(expected);
  });

  test('the message says what is wrong and what to do', () => {
    expect(weakAnswers({ minimum: 2 }).flat()[0]).toMatchObject({
      why: expect.stringContaining('a number') as string,
      hint: expect.stringContaining('type: number') as string,
    });
  });
});

describe('keywords without effect', () => {
  const doubts = (schema: JsonObject) =>
    schemaWeaknesses(schema).map(({ code, message }) => {
      expect(code).toBe('schema_keyword');
      return /"(.*?)"/.exec(message)![1];
    });

  test.each<[JsonObject, readonly string[]]>([
    [{ type: 'string', minLength: 1 }, []],
    [{ minLenght: 1 }, ['minLenght']],
    [{ 'x-own': 1 }, []],
    [{ format: 'email' }, ['email']],
    [{ format: 7 }, []],
    // A property of that name is no keyword.
    [{ properties: { minLenght: {}, format: { type: 'string' } } }, []],
    [{ properties: { a: { minLenght: 1 } } }, ['minLenght']],
    [{ items: { maxLenght: 1 } }, ['maxLenght']],
    [{ anyOf: [{ requried: [] }, { paterns: 1, pattren: 'x' }] }, ['requried', 'paterns', 'pattren']],
    [{ $defs: { a: { not: { mininum: 1 } } } }, ['mininum']],
    [{ items: { format: 'date' }, contains: { format: 'date' } }, ['date']],
    [{ enum: [{ minLenght: 1 }], const: { minLenght: 1 } }, []],
    [{ anyOf: { requried: {} }, properties: [{ minLenght: 1 }] }, []],
  ])('%j', (schema, expected) => {
    expect(doubts(schema)).toEqual(expected);
  });

  test('are found down to a depth of thirty levels', () => {
    const nested = (depth: number): JsonObject => {
      let schema: JsonObject = { minLenght: 1 };
      for (let level = 0; level < depth; level++) schema = { not: schema };
      return schema;
    };
    expect(doubts(nested(30))).toEqual(['minLenght']);
    expect(doubts(nested(31))).toEqual([]);
  });
});

test.each<[string, Json | undefined]>([
  ['#', { $defs: { a: { type: 'string' }, 'x/y~z w': 1 }, list: [1] }],
  ['#/$defs/a', { type: 'string' }],
  ['#/$defs/a/type', 'string'],
  ['#/$defs/x~1y~0z%20w', 1],
  ['#/$defs/b', undefined],
  ['#/$defs/a/type/more', undefined],
  ['#/list/0', undefined],
  ['#/toString', undefined],
  ['other.json#/$defs/a', undefined],
])('the reference %s', (reference, expected) => {
  const root = { $defs: { a: { type: 'string' }, 'x/y~z w': 1 }, list: [1] };
  expect(resolveReference(reference, root)).toEqual(expected);
});

describe('why no value matches a schema', () => {
  test.each<[JsonObject, RegExp | undefined]>([
    [{}, undefined],
    [{ type: 'integer', minimum: 1.2, maximum: 1.8 }, /no multiple of 1 is between 1\.2 and 1\.8/],
    [{ type: 'number', minimum: 1.2, maximum: 1.8 }, undefined],
    [{ type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 2 }, /between 1 and 2/],
    [{ type: 'integer', exclusiveMinimum: 1, maximum: 2 }, undefined],
    [{ type: 'number', minimum: 3, maximum: 2 }, /at least 3 and at most 2/],
    [{ type: 'number', minimum: 2, maximum: 2 }, undefined],
    [{ type: 'number', exclusiveMinimum: 2, maximum: 2 }, /at least 2 and at most 2/],
    [{ type: 'number', multipleOf: 5, minimum: 6, maximum: 9 }, /multiple of 5/],
    [{ type: 'number', multipleOf: 5, minimum: 6, maximum: 10 }, undefined],
    [{ type: 'object', required: ['a', 'b'], maxProperties: 1 }, /needs 2 properties, .* 1\b/],
    [{ type: 'object', required: ['a', 'b'], maxProperties: 2 }, undefined],
    [{ type: 'object', required: ['a', 'a'], maxProperties: 1 }, undefined],
    [{ type: 'object', minProperties: 3, maxProperties: 2 }, /needs 3 properties/],
    [{ type: 'object', required: ['a'], properties: { a: false } }, /"a" is required, but/],
    [{ type: 'object', properties: { a: false } }, undefined],
    [
      { type: 'object', required: ['a'], properties: { b: {} }, additionalProperties: false },
      /"a" is required, but not allowed/,
    ],
    [{ type: 'object', required: ['b'], properties: { b: {} }, additionalProperties: false }, undefined],
    [
      { type: 'object', required: ['a'], additionalProperties: false, patternProperties: { a: {} } },
      undefined,
    ],
    [
      { type: 'object', minProperties: 2, properties: { b: {} }, additionalProperties: false },
      /needs 2 properties, .* 1 /,
    ],
    [{ type: 'object', required: ['abc'], propertyNames: { maxLength: 2 } }, /"abc" .* name/],
    [{ type: 'object', required: ['ab'], propertyNames: { maxLength: 2 } }, undefined],
    [{ type: 'array', minItems: 1, items: false }, /needs an item/],
    [{ type: 'array', minItems: 0, items: false }, undefined],
    [{ type: 'array', minItems: 1, prefixItems: [true], items: false }, undefined],
    [{ type: 'array', minItems: 3, maxItems: 2 }, /needs 3 items, .* 2\b/],
    [{ type: 'array', contains: {}, maxItems: 0 }, /needs 1 items/],
    [{ type: 'array', contains: {}, minContains: 2, maxItems: 1 }, /needs 2 items/],
    // None of them needs to be there.
    [{ type: 'array', contains: {}, minContains: 0, maxItems: 0 }, undefined],
    [{ type: 'array', minContains: 2, maxItems: 1 }, undefined],
    [{ type: 'array', uniqueItems: true, minItems: 3, items: { enum: [1, 2] } }, /3 different items, .* 2 /],
    [{ type: 'array', uniqueItems: true, minItems: 2, items: { enum: [1, 2] } }, undefined],
    [{ type: 'array', minItems: 3, items: { enum: [1, 2] } }, undefined],
    [{ type: 'string', minLength: 3, maxLength: 2 }, /at least 3 and at most 2/],
    [{ type: 'string', pattern: '^a{3}$', maxLength: 2 }, /no text fits/],
    [{ type: 'string', pattern: '^a{3}$', maxLength: 3 }, undefined],
    [{ type: 'string', pattern: '^a{3}$', minLength: 4 }, /no text fits/],
    [{ enum: [1, 2], type: 'string' }, /none of its listed values/],
    [{ enum: [1, 'a'], type: 'string' }, undefined],
    [{ const: 1, not: { const: 1 } }, /`not`/],
    [{ not: {} }, /`not`/],
    [{ allOf: [{ type: 'string' }, { type: 'number' }] }, /no type/],
    [{ anyOf: [{ type: 'string' }, false], type: 'number' }, /no type/],
    [{ anyOf: [{ type: 'string' }, {}], type: 'number' }, undefined],
    [{ type: [] }, /no type/],
  ])('%j', (schema, why) => {
    const said = whyImpossible(schema);
    if (why === undefined) expect(said).toBeUndefined();
    else expect(said).toMatch(why);
  });
});
