import { describe, expect, test } from 'vitest';
import { parseSuite } from '../../src/suites/load/parse-suite.ts';
import { CASE_FORMATS, parseCase, summary } from './parse-case.ts';

const parse = (text: string, path = 'a.test.yaml') => {
  const { suite, findings } = parseSuite({ path, text });
  return {
    tests: suite?.tests ?? [],
    codes: findings.map(({ severity, code, path: at }) => `${severity} ${code} ${at}`.trimEnd()),
    findings,
  };
};
const CHECK = 'assert: { output.includes: a }';

describe('keys of assert', () => {
  test.each([
    'output.includes_2',
    'output.includes[2]',
    'output.matches_10',
    'output.equals[0]',
    'tools_used_2',
    'tools_used[2]',
  ])('%s is a claim of the kind without its number', (key) => {
    const value = key.startsWith('tools') ? '[a]' : 'a';
    const { tests, codes } = parse(`input: x\nassert: { "${key}": ${value} }`);
    expect(codes).toEqual([]);
    expect(tests[0]!.steps[0]!.assertions).toMatchObject([
      { kind: key.replace(/_?\[?\d+\]?$/, ''), name: key },
    ]);
  });

  test('two includes in one map are two claims', () => {
    const { tests } = parse(
      'input: x\nassert: { output.includes: a, output.includes_2: b, "output.includes[3]": c }',
    );
    expect(tests[0]!.steps[0]!.assertions.map(({ parameters }) => parameters['value'])).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  test.each([
    ['output', 'choose one: `output.equals`, `output.includes` or `output.matches`'],
    ['memory', 'name a path: `memory.<path>`; the whole memory is compared by `expected`'],
    ['output.include', 'did you mean `output.includes`?'],
    ['output.equalsIgnoreCase', 'the keys are'],
    [' output.includes', 'did you mean `output.includes`?'],
    ['Output.Includes', 'did you mean `output.includes`?'],
    ['tools_used_any', 'the keys are'],
    ['tools_used.include', 'did you mean `tools_used.includes`?'],
    ['output.not_contains', 'did you mean `output.not_includes`?'],
    ['output.sounds_like', 'the keys are'],
    ['tools', 'the keys are'],
    ['output.includes_', 'did you mean `output.includes`?'],
    ['output.includes_x', 'did you mean `output.includes`?'],
    ['output.includes[]', 'did you mean `output.includes`?'],
    ['output.includes_2_3', 'the keys are'],
    ['output.includes:a', 'write `output.includes: ...`, with a space after the colon'],
    ['constructor', 'the keys are'],
    ['__proto__', 'the keys are'],
    ['', 'the keys are'],
  ])('%j is an error with the hint %j', (key, hint) => {
    const { codes, findings, tests } = parse(
      `{"input":"x","assert":{${JSON.stringify(key)}:"a","output.equals":"b"}}`,
      'a.test.json',
    );
    expect(codes).toHaveLength(1);
    expect(codes[0]).toMatch(/^error unknown_assertion assert/);
    expect(findings[0]!.hint).toContain(hint);
    expect(tests).toEqual([]);
  });

  test.each(['5', 'yes', 'null', '2020-01-01'])('the key %s, which is not a string, is an error', (key) => {
    expect(parse(`input: x\nassert: { ${key}: a }`).codes).toContain(`error unknown_assertion assert.${key}`);
  });
});

describe('unknown fields are errors, with a hint', () => {
  test.each([
    [`inputs: x\nsteps: [{ input: a, ${CHECK} }]`, 'inputs', 'the fields are'],
    [`step: [{ input: a }]\ninput: x\n${CHECK}`, 'step', 'the fields are'],
    [
      `steps: [{ input: a, asserts: { output.includes: b }, ${CHECK} }]`,
      'steps[0].asserts',
      'did you mean `assert`?',
    ],
    [
      `steps: [{ input: a, memory: {}, ${CHECK} }]`,
      'steps[0].memory',
      'memory is given once, at the top of the test; after that the agent returns it',
    ],
    [
      `steps: [{ input: a, ${CHECK} }]\ninput: x`,
      'input',
      'a test with `steps` has its `input` in the steps',
    ],
    [
      `steps: [{ input: a, ${CHECK} }]\nassert: { output.includes: b }`,
      'assert',
      'a test with `steps` has its `assert` in the steps',
    ],
    [
      `steps: [{ input: a, ${CHECK} }]\nexpected: { output: b }`,
      'expected',
      'a test with `steps` has its `expected` in the steps',
    ],
    [`input: x\nexpect: { output: y }\n${CHECK}`, 'expect', 'did you mean `expected`?'],
    [`input: x\n${CHECK}\nexpected_outcome: y`, 'expected_outcome', 'that is a field of an eval case'],
    [`input: x\nname: y\n${CHECK}`, 'name', 'the name of a test is its `id`'],
    [`- input: x\n  ${CHECK}\n  memry: {}`, '[0].memry', 'did you mean `memory`?'],
  ])('%j', (text, path, hint) => {
    const { findings, tests } = parse(text);
    expect(findings).toMatchObject([
      { severity: 'error', code: 'unknown_field', path, hint: expect.stringContaining(hint) },
    ]);
    expect(tests).toEqual([]);
  });

  test('the other known fields are accepted', () => {
    const { tests, codes } = parse(
      `$schema: x\nschema_version: 1.0\nid: mine\ntags: [t]\nskip: later\nonly: true\nsteps: [{ input: a, ${CHECK} }]`,
    );
    expect(codes).toEqual([]);
    expect(tests).toMatchObject([{ id: 'mine', tags: ['t'], skip: 'later', only: true }]);
  });
});

describe('ids', () => {
  test.each([
    ['booking.test.yaml', 'booking'],
    ['dir/booking.TEST.YAML', 'booking'],
    ['booking.yml', 'booking'],
    ['a.b.test.json', 'a.b'],
    ['x.test.test.json', 'x.test'],
    ['.test.yaml', '.test'],
  ])('the test of %s is %s', (path, id) => {
    expect(parse('{"input": "x", "expected": {"output": "y"}}', path).tests[0]!.id).toBe(id);
  });

  test('a list counts from 1, even if it has one item or an item is invalid', () => {
    expect(parse(`- input: a\n  ${CHECK}`).tests.map(({ id }) => id)).toEqual(['a#1']);
    const { tests, codes } = parse(
      `- input: a\n  ${CHECK}\n- text\n- input: c\n  ${CHECK}\n- { id: own, input: d, ${CHECK} }`,
    );
    expect(tests.map(({ id }) => id)).toEqual(['a#1', 'a#3', 'own']);
    expect(codes).toEqual(['error type [1]']);
  });

  test('an id used twice is an error', () => {
    expect(parse(`- { id: x, input: a, ${CHECK} }\n- { id: x, input: b, ${CHECK} }`).codes).toEqual([
      'error duplicate_id [1].id',
    ]);
    expect(parse(`- { id: 'a#2', input: a, ${CHECK} }\n- { input: b, ${CHECK} }`).codes).toEqual([
      'error duplicate_id [1].id',
    ]);
  });
});

describe('steps and tests that check nothing', () => {
  test('a step without checks is a warning at that step', () => {
    const { tests, findings } = parse(`steps:\n  - input: a\n  - input: b\n    ${CHECK}\n`);
    expect(findings).toMatchObject([
      { severity: 'warning', code: 'step_without_checks', path: 'steps[0]', line: 2, column: 5 },
    ]);
    expect(tests[0]!.steps).toHaveLength(2);
  });

  test.each([
    'steps: [{ input: a }, { input: b, assert: {} }]',
    'input: a',
    'input: a\nassert: {}',
    'input: a\nassert: []',
    '- input: a',
  ])('%j is an error', (text) => {
    const { codes, tests } = parse(text);
    expect(codes.filter((code) => code.startsWith('error'))).toEqual([
      expect.stringContaining('error no_checks'),
    ]);
    expect(tests).toEqual([]);
  });

  test.each(['memory', 'assert', 'expected'])('%s: null means omitted, with a warning', (field) => {
    const other = field === 'assert' ? 'expected: { output: y }' : CHECK;
    expect(parse(`input: x\n${field}: null\n${other}`).codes).toEqual([`warning null_value ${field}`]);
  });
});

describe('a list under assert means evaluators', () => {
  test('in a step test, they are read', () => {
    const { tests, codes } = parse(
      'input: x\nassert: [{ type: contains, value: a }, { type: contains, value: b, weight: 0.5 }]',
    );
    expect(codes).toEqual([]);
    expect(tests[0]!.steps[0]!.assertions).toMatchObject([
      { form: 'evaluator', name: 'contains' },
      { name: 'contains#2', weight: 0.5 },
    ]);
  });

  test('an invalid evaluator is an error', () => {
    expect(parse('input: x\nassert: [{ type: contains }]').codes).toEqual([
      'error missing_value assert[0].value',
    ]);
  });
});

describe.each(CASE_FORMATS)('steps and memory of an eval case in %s', (format) => {
  const parseSteps = (steps: unknown, more: Record<string, unknown> = {}) =>
    parseCase({ id: 'a', steps, ...more }, format);

  test('one file can have memory, several steps, claims, evaluators and rubrics', () => {
    const { test: read, findings } = parseSteps(
      [
        { input: 'one', assert: { 'output.includes': 'a', 'memory.x': 2 } },
        {
          input: [{ role: 'user', content: 'two' }],
          expected_output: { b: 1 },
          assert: [{ type: 'match' }],
          description: 'd',
        },
        { input: 'three', expected: { output: 'c' } },
      ],
      {
        memory: { x: 1 },
        expected_outcome: 'G',
        evaluators: [{ type: 'contains', value: 'all' }],
        rubrics: ['kind'],
      },
    );
    expect(findings).toEqual([]);
    expect(read).toMatchObject({
      memory: { x: 1 },
      steps: [
        {
          input_messages: [{ role: 'user', content: 'one' }],
          expected_messages: [],
          assertions: [{ form: 'claim', name: 'output.includes' }, { name: 'memory.x' }],
        },
        {
          input_messages: [{ role: 'user', content: 'two' }],
          expected_messages: [{ role: 'assistant', content: { b: 1 } }],
          assertions: [{ form: 'evaluator', kind: 'match' }],
        },
        { assertions: [{ kind: 'expected', parameters: { output: 'c', tools_used: [], memory: {} } }] },
      ],
      assertions: [{ kind: 'contains' }, { kind: 'rubric' }],
    });
    expect(read!.input_messages).toBeUndefined();
  });

  test('a case with one step has its messages at the test too', () => {
    expect(parseSteps([{ input: 'one', assert: { 'output.includes': 'a' } }]).test).toMatchObject({
      input_messages: [{ content: 'one' }],
      expected_messages: [],
    });
  });

  test.each([
    [[{ input: 'x', memory: {} }], 'error unknown_field steps[0].memory'],
    [[{ input: 'x', evaluators: [] }], 'error unknown_field steps[0].evaluators'],
    [[{ assert: { 'output.includes': 'a' } }], 'error missing_input steps[0].input'],
    [[{ input: 5, assert: { 'output.includes': 'a' } }], 'error type steps[0].input'],
    [[{ input: 'x', assert: { output: 'a' } }], 'error unknown_assertion steps[0].assert.output'],
    [[], 'error empty steps'],
    ['x', 'error type steps'],
    [['x'], 'error type steps[0]'],
  ])('%j gives %s', (steps, finding) => {
    expect(parseSteps(steps, { expected_outcome: 'G' }).errors.map(summary)).toEqual([finding]);
  });

  test.each([
    ['input', 'input_beside_steps'],
    ['input_messages', 'input_beside_steps'],
    ['expected_output', 'expected_beside_steps'],
    ['expected_messages', 'expected_beside_steps'],
  ])('%s next to steps would be lost and is an error', (field, code) => {
    const value = field.endsWith('messages') ? [{ role: 'user', content: 'x' }] : 'x';
    const { errors } = parseSteps([{ input: 'x', assert: { 'output.includes': 'a' } }], { [field]: value });
    expect(errors.map(summary)).toEqual([`error ${code} ${field}`]);
  });

  test('a step that nothing checks is a warning', () => {
    const steps = [{ input: 'x' }, { input: 'y', assert: { 'output.includes': 'a' } }];
    expect(parseSteps(steps).findings.map(summary)).toEqual(['warning step_without_checks steps[0]']);
    expect(parseSteps(steps, { rubrics: ['kind'] }).findings).toEqual([]);
  });

  test('steps without any check get the default evaluator, and need the goal', () => {
    expect(parseSteps([{ input: 'x' }, { input: 'y' }], { expected_outcome: 'G' }).test).toMatchObject({
      assertions: [{ kind: 'llm_judge' }],
    });
    expect(parseSteps([{ input: 'x' }]).errors.map(summary)).toEqual([
      'error missing_expected_outcome expected_outcome',
    ]);
  });
});
