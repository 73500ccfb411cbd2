import { describe, expect, test } from 'vitest';
import { parseSuite } from '../../src/suites/load/parse-suite.ts';

/** Every rule of the TestHaven schema reference. */
const parse = (text: string, path = 'flight.test.yaml') => {
  const { suite, findings } = parseSuite({ path, text });
  return {
    suite,
    tests: suite?.tests ?? [],
    codes: findings.map(({ severity, code, path: at }) => `${severity} ${code} ${at}`.trimEnd()),
    findings,
  };
};

const CHECK = 'assert: { output.includes: a }';

describe('Top-Level Structure', () => {
  test('a single test object with a steps list', () => {
    const { tests, codes } = parse(
      `description: d\nmemory: { a: 1 }\nsteps:\n  - input: one\n    ${CHECK}\n  - input: two\n    ${CHECK}\n`,
    );
    expect(codes).toEqual([]);
    expect(tests).toMatchObject([
      {
        id: 'flight',
        description: 'd',
        memory: { a: 1 },
        steps: [
          { input_messages: [{ role: 'user', content: 'one' }] },
          { input_messages: [{ role: 'user', content: 'two' }] },
        ],
      },
    ]);
  });

  test('a list of legacy single-turn tests gives independent tests', () => {
    const { suite, tests, codes } = parse(
      `- description: first\n  input: a\n  memory: { x: 1 }\n  ${CHECK}\n- input: b\n  expected: { output: y }\n`,
    );
    expect(codes).toEqual([]);
    expect(tests).toMatchObject([
      { id: 'flight#1', description: 'first', memory: { x: 1 } },
      { id: 'flight#2' },
    ]);
    expect(tests[1]!.memory).toBeUndefined();
    expect(suite).toMatchObject({ format: 'steps', dataset: 'flight' });
    expect(suite!.description).toBeUndefined();
  });

  test('a legacy single-turn test becomes a test of one step', () => {
    const { tests, codes } = parse(`input: hi\nmemory: { x: 1 }\n${CHECK}\n`);
    expect(codes).toEqual([]);
    expect(tests).toMatchObject([
      {
        id: 'flight',
        memory: { x: 1 },
        input_messages: [{ role: 'user', content: 'hi' }],
        expected_messages: [],
        steps: [{ assertions: [{ kind: 'output.includes' }] }],
      },
    ]);
  });

  test('an item of a list may have steps itself', () => {
    const { tests, codes } = parse(
      `- steps: [{ input: a, ${CHECK} }, { input: b, ${CHECK} }]\n- input: c\n  ${CHECK}\n`,
    );
    expect(codes).toEqual([]);
    expect(tests.map(({ steps }) => steps.length)).toEqual([2, 1]);
  });
});

describe('Supported Top-Level Fields', () => {
  test.each([
    ['description: 5', 'warning type description'],
    ['memory: [1]', 'error type memory'],
    ['memory: text', 'error type memory'],
    ['memory:', 'warning null_value memory'],
  ])('%s gives %s', (line, code) => {
    expect(parse(`${line}\nsteps: [{ input: x, ${CHECK} }]`).codes).toEqual([code]);
  });

  test.each([
    ['steps:', 'error missing_steps steps'],
    ['steps: []', 'error empty steps'],
    ['steps: text', 'error type steps'],
    ['steps: { input: x }', 'error type steps'],
    ['steps: [text]', 'error type steps[0]'],
  ])('%s gives %s', (text, code) => {
    const { codes, tests } = parse(text);
    expect(codes).toEqual([code]);
    expect(tests).toEqual([]);
  });
});

describe('Step Structure', () => {
  test.each([
    [`{ ${CHECK} }`, 'error missing_input steps[0].input'],
    [`{ input: null, ${CHECK} }`, 'error missing_input steps[0].input'],
    [`{ inptu: x, ${CHECK} }`, 'error unknown_field steps[0].inptu'],
    [`{ input: 5, ${CHECK} }`, 'error type steps[0].input'],
    [`{ input: [a], ${CHECK} }`, 'error type steps[0].input'],
    [`{ input: "", ${CHECK} }`, 'warning empty_input steps[0].input'],
    ['{ input: x, assert: text }', 'error type steps[0].assert'],
    ['{ input: x, expected: text }', 'error type steps[0].expected'],
  ])('%s gives %s', (step, code) => {
    expect(parse(`steps: [${step}]`).codes).toEqual([code]);
  });

  test('only one of assert or expected should be used: assert decides, with a warning', () => {
    const { tests, codes } = parse(
      'steps: [{ input: x, assert: { output.includes: a }, expected: { output: b } }]',
    );
    expect(codes).toEqual(['warning expected_ignored steps[0].expected']);
    expect(tests[0]!.steps[0]!.assertions.map(({ kind }) => kind)).toEqual(['output.includes']);
  });

  test.each(['{}', '[]', 'null'])('an assert of %s never disables expected', (assert) => {
    const { tests } = parse(`steps: [{ input: x, assert: ${assert}, expected: { output: b } }]`);
    expect(tests[0]!.steps[0]!.assertions.map(({ kind }) => kind)).toEqual(['expected']);
  });
});

describe('Output Assertions', () => {
  test.each(['output.includes', 'output.matches', 'output.equals'])('%s takes a text', (key) => {
    const { tests, codes } = parse(`input: x\nassert: { ${key}: Berlin }`);
    expect(codes).toEqual([]);
    expect(tests[0]!.steps[0]!.assertions).toMatchObject([
      { form: 'claim', kind: key, name: key, parameters: { value: 'Berlin' } },
    ]);
    for (const value of ['5', 'true', 'null', '[a]', '{ a: b }']) {
      expect(parse(`input: x\nassert: { ${key}: ${value} }`).codes).toEqual([`error type assert["${key}"]`]);
    }
  });

  test("output.matches refuses what Python refuses, with Python's message", () => {
    const { findings } = parse(String.raw`input: x
assert:
  output.matches: 'a(?i)b'`);
    expect(findings).toMatchObject([
      {
        code: 'pattern',
        line: 3,
        column: 19,
        message:
          "Python's re refuses this pattern: global flags not at the start of the expression at position 1",
      },
    ]);
  });

  test('output.matches accepts what only Python accepts', () => {
    expect(
      parse(String.raw`input: x
assert: { output.matches: '(?P<year>\d{4})\Z' }`).codes,
    ).toEqual([]);
  });
});

const toolsUsed = (value: string) => parse(`input: x\nassert: { tools_used: ${value} }`);

describe('Tool Assertions', () => {
  test('tools_used takes a list of names; [] means none', () => {
    expect(toolsUsed('[Skyscanner, Skyscanner]').tests[0]!.steps[0]!.assertions[0]!.parameters).toEqual({
      value: ['Skyscanner', 'Skyscanner'],
    });
    expect(toolsUsed('[]').tests[0]!.steps[0]!.assertions[0]!.parameters).toEqual({ value: [] });
  });

  test('a single text is a list of one, with a warning', () => {
    const { tests, codes } = toolsUsed('Skyscanner');
    expect(codes).toEqual(['warning single_value assert.tools_used']);
    expect(tests[0]!.steps[0]!.assertions[0]!.parameters).toEqual({ value: ['Skyscanner'] });
  });

  test.each([
    ['{ name: a }', 'error type assert.tools_used'],
    ['[{ name: a }]', 'error type assert.tools_used[0]'],
    ['[null]', 'error type assert.tools_used[0]'],
    ['null', 'error type assert.tools_used'],
    ['[5]', 'warning never_equal assert.tools_used[0]'],
  ])('%s gives %s', (value, code) => {
    expect(toolsUsed(value).codes).toEqual([code]);
  });
});

describe('Memory Assertions', () => {
  test('memory.<dot.path> takes any value', () => {
    const { tests, codes } = parse(`input: x
assert:
  memory.last_booking.destination: Berlin
  memory.count: 2
  memory.list: [1, { a: null }]
  memory.nothing: null
  memory.toString: x
  memory.__proto__: y
`);
    expect(codes).toEqual([]);
    expect(
      tests[0]!.steps[0]!.assertions.map(({ kind, name, parameters }) => [kind, name, parameters]),
    ).toEqual([
      ['memory', 'memory.last_booking.destination', { path: 'last_booking.destination', value: 'Berlin' }],
      ['memory', 'memory.count', { path: 'count', value: 2 }],
      ['memory', 'memory.list', { path: 'list', value: [1, { a: null }] }],
      ['memory', 'memory.nothing', { path: 'nothing', value: null }],
      ['memory', 'memory.toString', { path: 'toString', value: 'x' }],
      ['memory', 'memory.__proto__', { path: '__proto__', value: 'y' }],
    ]);
  });

  test.each(['memory.', 'memory.a.', 'memory..a', 'memory.a..b'])(
    '%s has an empty segment, which is a warning',
    (key) => {
      expect(parse(`input: x\nassert: { "${key}": 1 }`).codes).toEqual([
        `warning empty_segment assert["${key}"]`,
      ]);
    },
  );

  test('an index is not a path into a list, which is a warning', () => {
    expect(parse('input: x\nassert: { "memory.list[0].a": 1 }').codes).toEqual([
      'warning list_index assert["memory.list[0].a"]',
    ]);
  });
});

const parseExpected = (value: string) => parse(`input: x\nexpected: ${value}`);

describe('Strict Matching', () => {
  test('an omitted tools_used means [], an omitted memory {}', () => {
    const { tests, codes } = parseExpected('{ output: y }');
    expect(codes).toEqual([]);
    expect(tests[0]!.steps[0]!.assertions).toMatchObject([
      { form: 'claim', kind: 'expected', parameters: { output: 'y', tools_used: [], memory: {} } },
    ]);
  });

  test('all three fields are kept', () => {
    const all = { output: '', tools_used: ['a'], memory: { b: [1, null] } };
    expect(parseExpected(JSON.stringify(all)).tests[0]!.steps[0]!.assertions[0]!.parameters).toEqual(all);
  });

  test.each([
    ['{}', 'error missing_output expected.output'],
    ['{ output: null }', 'error missing_output expected.output'],
    ['{ output: 5 }', 'error type expected.output'],
    ['{ tools_used: [a] }', 'error missing_output expected.output'],
    ['{ output: y, tools_used: [{ name: a }] }', 'error type expected.tools_used[0]'],
    ['{ output: y, memory: [] }', 'error type expected.memory'],
    ['{ output: y, outptu: z }', 'error unknown_field expected.outptu'],
    ['{ output: y, output.includes: z }', 'error unknown_field expected["output.includes"]'],
    ['{ output: y, memory: null }', 'warning null_value expected.memory'],
  ])('%s gives %s', (value, code) => {
    expect(parseExpected(value).codes).toEqual([code]);
  });
});

describe('Examples', () => {
  test('YAML (Recommended)', () => {
    const { tests, codes } = parse(`description: "Book flight to Berlin"
memory:
  preferred_airport: "Gatwick"
steps:
  - input: "Book me a flight to Berlin next week"
    assert:
      output.includes: "Gatwick"
      output.matches: ".*Berlin.*"
      tools_used: ["Skyscanner"]
      memory.last_booking.destination: "Berlin"
      memory.last_booking.departure: "Gatwick"
`);
    expect(codes).toEqual([]);
    expect(tests[0]).toMatchObject({
      description: 'Book flight to Berlin',
      memory: { preferred_airport: 'Gatwick' },
    });
    expect(tests[0]!.steps[0]!.assertions.map(({ name, place }) => [name, place.line])).toEqual([
      ['output.includes', 7],
      ['output.matches', 8],
      ['tools_used', 9],
      ['memory.last_booking.destination', 10],
      ['memory.last_booking.departure', 11],
    ]);
  });

  test('JSON (Legacy Format)', () => {
    const text = `{
  "description": "Book flight to Tokyo",
  "input": "Book a flight to Tokyo next week",
  "memory": { "preferred_airport": "LAX" },
  "assert": {
    "output.equals": "Booking flight from LAX to Tokyo.",
    "tools_used": ["Skyscanner"],
    "memory.last_booking.destination": "Tokyo",
    "memory.last_booking.departure": "LAX"
  }
}`;
    const { tests, codes } = parse(text, 'tokyo.test.json');
    expect(codes).toEqual([]);
    expect(tests).toMatchObject([
      {
        id: 'tokyo',
        input_messages: [{ role: 'user', content: 'Book a flight to Tokyo next week' }],
        memory: { preferred_airport: 'LAX' },
      },
    ]);
    expect(tests[0]!.steps[0]!.assertions).toHaveLength(4);
  });
});
