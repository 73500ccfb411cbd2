import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/model/json.ts';
import { errorOf, measure } from './evidence.ts';

const check = (output: string, schema?: JsonObject | string): ReturnType<typeof measure> => {
  return measure({ type: 'is_json', ...(schema === undefined ? {} : { schema }) }, { reply: { output } });
};

describe('is_json', () => {
  it.each([
    ['{"a": 1}', 1],
    [' [1, 2]\n', 1],
    ['"text"', 1],
    ['null', 1],
    ['9007199254740993', 1],
    ['', 0],
    ['{a: 1}', 0],
    ['{"a": NaN}', 0],
    ['{"a": 1} and more', 0],
    ['1e999', 0],
  ])('%j: %d', async (output, score) => {
    expect((await check(output)).score).toBe(score);
  });

  it('needs the whole output to be JSON, and mentions a code fence', async () => {
    const outcome = await check('```json\n{"a": 1}\n```');
    expect(outcome).toMatchObject({
      score: 0,
      message: 'the output is not JSON: it has a code fence around it',
    });
  });

  const schema = {
    type: 'object',
    properties: {
      riskLevel: { type: 'string', enum: ['LOW', 'HIGH'] },
      'a.b': { type: 'integer' },
      items: { type: 'array', items: { type: 'number' } },
    },
    required: ['riskLevel', 'missing'],
    additionalProperties: false,
  };

  it('lists every violation with its place', async () => {
    const { score, misses } = await check(
      '{"riskLevel":"MID","a.b":1.5,"items":[1,"x"],"fetchData":1}',
      schema,
    );
    expect(score).toBe(0);
    expect(misses).toEqual([
      "the output must have required property 'missing'",
      'the output must NOT have additional properties ("fetchData")',
      'riskLevel must be equal to one of the allowed values (["LOW","HIGH"])',
      '["a.b"] must be integer',
      'items[1] must be number',
    ]);
  });

  it('passes valid output, with large integers and unusual keys', async () => {
    expect(
      (
        await check('{"riskLevel":"LOW","missing":1,"a.b":9007199254740993}', {
          ...schema,
          additionalProperties: true,
        })
      ).score,
    ).toBe(1);
    expect((await check('{"__proto__":1}', { required: ['__proto__'] })).score).toBe(1);
    expect((await check('{}', { required: ['__proto__'] })).score).toBe(0);
    expect((await check('{}', { required: ['toString'] })).score).toBe(0);
  });

  it('reads the schema from a file', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'assay-')), 'schema.json');
    writeFileSync(file, JSON.stringify({ type: 'array' }));
    expect((await check('[]', file)).score).toBe(1);
    expect((await check('{}', file)).score).toBe(0);
    expect(await errorOf({ type: 'is_json', schema: `${file}.none` }, { reply: { output: '[]' } })).toContain(
      'could not be read',
    );
    writeFileSync(file, '[]');
    expect(await errorOf({ type: 'is_json', schema: file }, { reply: { output: '[]' } })).toContain(
      'it must be an object',
    );
  });

  it('is an error for a schema that is not valid', async () => {
    const on = { reply: { output: '[]' } };
    expect(await errorOf({ type: 'is_json', schema: { type: 'strin' } }, on)).toContain('schema is invalid');
    expect(await errorOf({ type: 'is_json', schema: { $ref: '#/nowhere' } }, on)).toContain('nowhere');
    expect(await errorOf({ type: 'is_json', schema: { const: 9007199254740993n } }, on)).toContain(
      'beyond 2^53',
    );
  });

  it('reports keywords without effect', async () => {
    const outcome = await check('"x"', { type: 'string', requried: ['a'], format: 'email' });
    expect(outcome.warnings?.[0]?.message).toContain('requried');
    expect(outcome.warnings?.[0]?.message).toContain('email');
  });

  it('supports the drafts', async () => {
    const tuple = { prefixItems: [{ type: 'string' }] };
    expect((await check('[1]', tuple)).score).toBe(0);
    const old = { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] };
    expect((await check('[1]', old)).score).toBe(0);
    const between = { $schema: 'https://json-schema.org/draft/2019-09/schema', items: [{ type: 'string' }] };
    expect((await check('[1]', between)).score).toBe(0);
  });

  it('stops a pattern search that takes too long', async () => {
    const on = { reply: { output: JSON.stringify(`${'a'.repeat(5000)}!`) } };
    expect(await errorOf({ type: 'is_json', schema: { pattern: '^(a+)+$' } }, on)).toContain(
      'takes more than 200 ms',
    );
  });
});
