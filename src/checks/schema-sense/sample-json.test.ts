import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../base/model/json.ts';
import { sampleJson } from './sample-json.ts';

test.each<[JsonObject, readonly Json[]]>([
  [{}, [{}]],
  [{ const: 7 }, [7]],
  [{ const: null }, [null]],
  [{ enum: ['a', 'b', 'c', 'd'] }, ['a', 'b', 'c']],
  [{ enum: ['a', 'b'] }, ['a', 'b']],
  [{ examples: [1, 2] }, [1, 2]],
  [{ enum: [], type: 'null' }, [null]],
  [{ type: 'boolean' }, [true]],
  [{ type: ['null', 'boolean'] }, [null, true]],
  [{ type: 'odd' }, []],
  // Every second one leaves out what is optional.
  [
    { properties: { a: { type: 'null' }, b: { const: 1 } }, required: ['b', 'c'] },
    [
      { a: null, b: 1, c: 'text' },
      { b: 1, c: 'text' },
    ],
  ],
  [{ minProperties: 2, additionalProperties: { type: 'null' } }, [{ key_1: null, key_2: null }]],
  [{ properties: { a: true }, required: ['a'], minProperties: 2 }, [{ a: 'text', key_1: 'text' }]],
  // Lists have one item, or as many as they must.
  [{ type: 'array' }, [['text']]],
  [{ items: { const: 1 } }, [[1]]],
  [{ items: { const: 1 }, minItems: 3 }, [[1, 1, 1]]],
  [{ items: { const: 1 }, maxItems: 0 }, [[]]],
  [{ contains: { const: 2 }, items: { const: 1 } }, [[2]]],
  [{ prefixItems: [{ const: 'a' }, { const: 'b' }], items: { const: 'c' } }, [['a', 'b']]],
  [{ prefixItems: [{ const: 'a' }], minItems: 3, items: { const: 'c' } }, [['a', 'c', 'c']]],
  [{ uniqueItems: true, minItems: 3, items: { type: 'string' } }, [['text', 'text 1', 'text 2']]],
  [{ uniqueItems: true, minItems: 3, items: { type: 'number' } }, [[1, 2, 3]]],
  [
    { uniqueItems: true, minItems: 2, items: { enum: ['a', 'b'] } },
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
  ],
  [{ minItems: 1001 }, []],
  // Texts.
  [{ type: 'string' }, ['text']],
  [{ minLength: 6 }, ['texttt']],
  [{ maxLength: 2 }, ['te']],
  [{ type: 'string', format: 'date' }, ['2026-01-31']],
  [{ type: 'string', format: 'other' }, ['text']],
  [{ pattern: '^a{2}$' }, ['aa']],
  [{ pattern: '^a+$', minLength: 3 }, ['aaa']],
  [{ pattern: '^a*b?$', maxLength: 1, minLength: 1 }, ['a']],
  [{ pattern: 'a^' }, []],
  // Numbers.
  [{ type: 'number' }, [1]],
  [{ type: 'integer' }, [1]],
  [{ minimum: 5 }, [5]],
  [{ exclusiveMinimum: 5 }, [6]],
  [{ maximum: -3 }, [-3]],
  [{ exclusiveMaximum: -3 }, [-4]],
  [{ multipleOf: 7, minimum: 10 }, [14]],
  [{ multipleOf: 7, maximum: -10 }, [-14]],
  [{ type: 'integer', exclusiveMinimum: 2, exclusiveMaximum: 4 }, [3]],
  [{ minimum: 0.25, maximum: 0.75 }, [0.5]],
  [{ maximum: 0 }, [0]],
  // Parts are one.
  [{ allOf: [{ minimum: 2 }, { minimum: 3, maximum: 9 }, { maximum: 8 }] }, [3]],
  [{ allOf: [{ minLength: 5 }, { maxLength: 5 }] }, ['textt']],
  [
    {
      allOf: [
        { required: ['a'], properties: { a: { minimum: 4 } } },
        { required: ['b'], properties: { a: { maximum: 4 } } },
      ],
    },
    [{ a: 4, b: 'text' }],
  ],
  [{ type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] }, [{ a: 'text' }, { b: 'text' }]],
  [{ oneOf: [{ const: 1 }, { const: 2 }] }, [1, 2]],
  [{ anyOf: [], type: 'null' }, [null]],
  [{ $ref: '#/$defs/a', $defs: { a: { const: 3 } } }, [3]],
  [{ $ref: '#/$defs/gone' }, [{}]],
  [{ $ref: '#' }, []],
  [{ not: {}, items: false }, []],
])('%j', (schema, values) => {
  expect(sampleJson(schema)).toEqual(values);
});

test('a generated text is cut at 10,000 characters', () => {
  expect((sampleJson({ minLength: 1e9 })[0] as string).length).toBe(10_000);
});
