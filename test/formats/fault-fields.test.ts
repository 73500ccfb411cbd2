import { describe, expect, test } from 'vitest';
import { plainTest } from '../../src/api/show/plain-test.ts';
import { parseSuite } from '../../src/suites/load/parse-suite.ts';
import { CASE_FORMATS, COMPLETE, parseCase, summary } from './parse-case.ts';

const model = (call: unknown, what: unknown) => ({ on: 'model', call, do: what });
const search = (call: unknown, what: unknown) => ({ on: 'tool search', call, do: what });

describe.each(CASE_FORMATS)('an eval case in %s', (format) => {
  test('can have faults', () => {
    const faults = [
      model(1, 429),
      model(2, 599),
      model(3, 'timeout'),
      model(4, 'reset'),
      model(5, 'truncate'),
      model(6, { reply: '' }),
      model(7, { reply: { choices: [] } }),
      search(1, 'truncate'),
      search(2, { reply: ['a'] }),
      { on: 'tool search more', call: 1, do: 'truncate' },
    ];
    const { test: read, findings } = parseCase({ ...COMPLETE, faults }, format);
    expect(findings).toEqual([]);
    expect(read!.faults).toMatchObject(faults);
  });

  test.each([
    [[model(1, 'explode')], 'error value faults[0].do'],
    [[model(1, '429')], 'error value faults[0].do'],
    [[model(1, 200)], 'error range faults[0].do'],
    [[model(1, 600)], 'error range faults[0].do'],
    [[model(1, 429.5)], 'error range faults[0].do'],
    [[model(1, true)], 'error type faults[0].do'],
    [[model(1, { reply: 5 })], 'error type faults[0].do.reply'],
    [[model(1, {})], 'error missing_field faults[0].do.reply'],
    [[model(1, { reply: 'a', status: 500 })], 'error unknown_field faults[0].do.status'],
    [[model(0, 429)], 'error range faults[0].call'],
    [[model('2', 429)], 'error type faults[0].call'],
    [[{ on: 'model', do: 429 }], 'error missing_field faults[0].call'],
    [[{ call: 1, do: 429 }], 'error missing_field faults[0].on'],
    [[{ on: 'model', call: 1 }], 'error missing_field faults[0].do'],
    [[{ on: 'model', call: 1, do: 429, times: 2 }], 'error unknown_field faults[0].times'],
    [[{ on: 'tool', call: 1, do: 'truncate' }], 'error fault_on faults[0].on'],
    [[{ on: 'tool  ', call: 1, do: 'truncate' }], 'error fault_on faults[0].on'],
    [[{ on: 'search', call: 1, do: 'truncate' }], 'error fault_on faults[0].on'],
    [[{ on: { tool: 'search' }, call: 1, do: 'truncate' }], 'error fault_on faults[0].on'],
    [[search(1, 429)], 'error fault_of_tool faults[0].do'],
    [[search(1, 'timeout')], 'error fault_of_tool faults[0].do'],
    [[search(1, 'reset')], 'error fault_of_tool faults[0].do'],
    [[model(2, 429), model(1, 500), model(2, 'reset')], 'error duplicate_fault faults[2]'],
    [
      [search(1, 'truncate'), { on: 'tool mcp__web__search', call: 1, do: 'truncate' }],
      'error duplicate_fault faults[1]',
    ],
    [model(1, 429), 'error type faults'],
  ])('%j is %s', (faults, code) => {
    const { test: read, findings } = parseCase({ ...COMPLETE, faults }, format);
    expect(findings.map(summary)).toEqual([code]);
    expect(read).toBeUndefined();
  });

  test('a misspelled `faults` is an error, since the test would run without them', () => {
    const { errors } = parseCase({ ...COMPLETE, fault: [model(1, 429)] }, format);
    expect(errors.map(summary)).toEqual(['error unknown_field fault']);
  });
});

test('faults of a whole file are an error', () => {
  const { errors } = parseCase(COMPLETE, 'yaml', { faults: [model(1, 429)] });
  expect(errors).toMatchObject([{ code: 'unknown_field', hint: '`faults` belongs in a case' }]);
});

test('a step test can have faults, with their places, and `on` needs no quotes in YAML 1.1', () => {
  const text = `- input: hi
  assert: { output.includes: hi }
  faults:
    - on: model
      call: 2
      do: 429
    - {on: tool search, call: 1, do: {reply: gone}}
`;
  const { suite, findings } = parseSuite({ path: 'a.test.yaml', text });
  expect(findings).toEqual([]);
  expect(plainTest(suite!.tests[0]!)).toMatchObject({
    faults: [
      { on: 'model', call: 2, do: 429, line: 4, column: 7 },
      { on: 'tool search', call: 1, do: { reply: 'gone' }, line: 7, column: 7 },
    ],
  });
});

test('elsewhere `on` is still a boolean in YAML 1.1', () => {
  const { findings } = parseSuite({
    path: 'a.test.yaml',
    text: 'input: hi\nmemory: { on: 1 }\nassert: { output.includes: hi }\n',
  });
  expect(findings.map(({ code }) => code)).toEqual(['non_string_key']);
});
