import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../model/json.ts';
import { acceptsEverything } from './accepts-everything.ts';
import { schemaWeaknesses } from './schema-weaknesses.ts';
import { resolveReference } from './resolve-reference.ts';
import { weakAnswers } from './weak-answers.ts';

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

describe('answers that a schema hardly means', () => {
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

  test('say what is wrong and what to do', () => {
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

  test('are found thirty levels deep, and not for ever', () => {
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
