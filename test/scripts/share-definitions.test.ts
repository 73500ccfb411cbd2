import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { shareDefinitions } from '../../scripts/share-definitions.ts';
import { editorSchemas } from '../../src/suites/config/editor-schemas.ts';
import type { Json, JsonObject } from '../../src/base/model/json.ts';

const LONG = 'A description that is long enough for a definition of its own to pay.';

test('what is written more than once is one definition; data that looks the same stays', () => {
  const weight = { description: LONG, type: 'number' };
  const item = { type: 'object', properties: { weight, other: { not: weight } } };
  const schema = {
    title: 'a',
    properties: { first: item, second: item, weight: { enum: [weight] } },
    definitions: { weight: { const: 5 } },
  };
  expect(shareDefinitions(schema)).toEqual({
    title: 'a',
    properties: {
      first: { $ref: '#/definitions/first' },
      second: { $ref: '#/definitions/first' },
      weight: { enum: [weight] },
    },
    definitions: {
      weight: { const: 5 },
      weight_2: weight,
      first: {
        type: 'object',
        properties: {
          weight: { $ref: '#/definitions/weight_2' },
          other: { not: { $ref: '#/definitions/weight_2' } },
        },
      },
    },
  });
});

test.each(Object.entries(editorSchemas()))('%s means the same, and is much smaller', (name, schema) => {
  const file = fileURLToPath(new URL(`../../schema/${name}.schema.json`, import.meta.url));
  const text = readFileSync(file, 'utf8');
  expect(text.length).toBeLessThan(0.7 * JSON.stringify(schema).length);
  const own = Object.keys(schema['definitions'] as JsonObject);
  const shared = JSON.parse(text) as JsonObject;
  const definitions = shared['definitions'] as JsonObject;
  /** Puts every shared schema back to where it was. */
  const expand = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(expand);
    if (typeof value !== 'object' || value === null) return value;
    const shares = /^#\/definitions\/(\w+)$/.exec(String((value as JsonObject)['$ref']))?.[1];
    if (shares !== undefined && !own.includes(shares)) return expand(definitions[shares]!);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, expand(inner)]));
  };
  const kept = Object.fromEntries(own.map((key) => [key, definitions[key]!]));
  expect(expand({ ...shared, definitions: kept })).toEqual(JSON.parse(JSON.stringify(schema)));
});
