import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../base/model/json.ts';
import { compileJsonSchema } from './json-schema.ts';

async function violations(schema: JsonObject, value: Json): Promise<readonly string[]> {
  return (await compileJsonSchema(schema))(value).violations;
}

const PERSON = {
  type: 'object',
  required: ['name', 'age'],
  properties: {
    name: { type: 'string' },
    age: { minimum: 18 },
    role: { enum: ['a', 'b'] },
    kind: { const: 7 },
  },
  additionalProperties: false,
};

test('every violation is named with its place', async () => {
  expect(await violations(PERSON, { name: 'Ann', age: 20, role: 'a', kind: 7 })).toEqual([]);
  const found = await violations(PERSON, { name: 1, role: 'c', kind: 8, more: true });
  expect(found).toHaveLength(5);
  expect(found).toContainEqual(expect.stringMatching(/^the output .*age/));
  expect(found).toContainEqual(expect.stringMatching(/^name .*string/));
  expect(found).toContainEqual(expect.stringMatching(/^role .* \(\["a","b"\]\)$/));
  expect(found).toContainEqual(expect.stringMatching(/^kind .* \(7\)$/));
  expect(found).toContainEqual(expect.stringMatching(/^the output .* \("more"\)$/));
});

test('places are paths: items of lists by number, and odd keys as they are', async () => {
  const inner = { additionalProperties: { additionalProperties: { items: { type: 'number' } } } };
  expect(await violations(inner, { a: { 'x/y~z': [1, 'b'] } })).toEqual([
    expect.stringMatching(/^a.*x\/y~z.*\[1\] must be number$/),
  ]);
});

test('a violation that two branches share is reported once', async () => {
  const schema = { allOf: [{ type: 'string' }, { type: 'string' }] };
  expect(await violations(schema, 1)).toHaveLength(1);
});

test('inherited properties do not count', async () => {
  expect(await violations({ required: ['toString'] }, {})).toHaveLength(1);
});

test.each([
  ['2020-12', 'https://json-schema.org/draft/2020-12/schema', { prefixItems: [{ type: 'string' }] }],
  ['none named', undefined, { prefixItems: [{ type: 'string' }] }],
  [
    '2019-09',
    'https://json-schema.org/draft/2019-09/schema',
    { items: [{ type: 'string' }], unevaluatedItems: true },
  ],
  ['draft-07', 'http://json-schema.org/draft-07/schema#', { items: [{ type: 'string' }] }],
])('the draft is the one that the schema names: %s', async (_, $schema, keywords) => {
  const schema = $schema === undefined ? keywords : { $schema, ...keywords };
  expect(await violations(schema, ['a'])).toEqual([]);
  expect(await violations(schema, [1])).toHaveLength(1);
});

test('drafts differ in what they know', async () => {
  const check = await compileJsonSchema({
    $schema: 'http://json-schema.org/draft-07/schema#',
    prefixItems: [{ type: 'string' }],
  });
  expect(check([1])).toMatchObject({ violations: [], notes: [expect.stringContaining('prefixItems')] });
  const later = await compileJsonSchema({
    $schema: 'https://json-schema.org/draft/2019-09/schema',
    $recursiveAnchor: true,
  });
  expect(later({}).notes).toEqual([]);
});

test('keywords that are not checked are noted once', async () => {
  const email = { type: 'string', format: 'email' };
  const check = await compileJsonSchema({ properties: { a: email, b: email, format: { type: 'string' } } });
  expect(check({ a: 'x' })).toEqual({ violations: [], notes: ['the format "email" is not checked'] });
  const odd = await compileJsonSchema({ minimun: 3 });
  expect(odd(1).notes).toEqual([expect.stringMatching(/^unknown keyword: "minimun"/)]);
});

test('an invalid schema, or one with a pattern that never ends, is refused', async () => {
  await expect(compileJsonSchema({ type: 'strin' })).rejects.toThrow('type');
  const check = await compileJsonSchema({ pattern: '^(a+)+$' });
  expect(check('aaa').violations).toEqual([]);
  expect(check('b').violations).toHaveLength(1);
  expect(() => check(`${'a'.repeat(80)}b`)).toThrow('takes more than 200 ms');
});
