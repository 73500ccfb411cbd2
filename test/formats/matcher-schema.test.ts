import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { publishedSchemas } from '../../src/suites/load/published-schemas.ts';
import { MATCHERS } from '../../src/base/match/matchers/registry.ts';
import type { Json } from '../../src/base/model/json.ts';

const { steps, eval: evalFile } = publishedSchemas();
const ajv = new Ajv({ strict: false });
const isStepTest = ajv.compile({ ...steps, $id: 'steps' });
const isEvalFile = ajv.compile({ ...evalFile, $id: 'eval' });

/** Whether editors accept the value in every place where it is compared. */
function accepted(value: Json): boolean {
  const claims = isStepTest({ input: 'x', assert: { 'memory.a': { deep: [value] } } });
  const evaluators = [
    { type: 'tool_trajectory', mode: 'exact', expected: [{ tool: 't', args: { a: value } }] },
    { type: 'memory', path: 'a', equals: value },
  ];
  const cases = isEvalFile({
    evalcases: [{ id: 'a', input: 'x', expected_output: { a: value }, evaluators }],
  });
  expect(cases).toBe(claims);
  return claims;
}

test('the JSON Schema accepts every matcher and does not restrict data', () => {
  for (const { example } of MATCHERS.values()) expect(accepted(example), JSON.stringify(example)).toBe(true);
  for (const data of [{ $ref: 5 }, { $gte: 'text', other: 1 }, { $regx: 1 }, { within: 'x' }, {}, null, 5])
    expect(accepted(data), JSON.stringify(data)).toBe(true);
});

test('the JSON Schema rejects a wrong argument at any depth', () => {
  for (const wrong of [
    { $gte: '5' },
    { $type: 'text' },
    { $any: false },
    { $oneOf: [] },
    { $length: -1 },
    { $approx: 3 },
    { $approx: 3, within: -1 },
    { $not: { $lt: 'x' } },
    { $partial: { a: [{ $regex: 5 }] } },
    { $oneOf: [{ $each: { $absent: 1 } }] },
  ])
    expect(accepted(wrong), JSON.stringify(wrong)).toBe(false);
});
