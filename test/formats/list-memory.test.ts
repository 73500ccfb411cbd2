import { describe, expect, test } from 'vitest';
import { parseSuite } from '../../src/suites/load/parse-suite.ts';

/** TestHaven runs the items of a list as the steps of one test. */
function warnings(items: unknown, path = 'a.test.json') {
  const { suite, findings } = parseSuite({ path, text: JSON.stringify(items) });
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(suite?.tests.length).toBeGreaterThan(0);
  return findings
    .filter(({ code }) => code === 'list_memory')
    .map(({ path: at, message }) => `${at} ${message}`);
}

const OUTPUT = { input: 'a', assert: { 'output.includes': 'x' } };
const CLAIM = { input: 'b', assert: { 'memory.city': 'Berlin' } };
const STRICT = { input: 'c', expected: { output: 'x', memory: { city: 'Berlin' } } };
const EMPTY = { input: 'd', expected: { output: 'x' } };
const EVALUATOR = { input: 'e', assert: [{ type: 'memory', path: 'city', exists: true }] };
const starting = (memory: unknown, item: object) => ({ ...item, memory });

describe('a list whose claims about memory mean something else in TestHaven', () => {
  test.each<[name: string, items: object[], at: string]>([
    ['a claim', [OUTPUT, CLAIM], '[1]'],
    [
      'a claim beside others',
      [OUTPUT, OUTPUT, { ...CLAIM, assert: { ...CLAIM.assert, tools_used: [] } }],
      '[2]',
    ],
    ['a strict block', [OUTPUT, STRICT], '[1]'],
    [
      'a strict block that wants memory to be empty',
      [CLAIM, { ...EMPTY, expected: { output: 'x', memory: {} } }],
      '[1]',
    ],
    ['an evaluator', [CLAIM, EVALUATOR], '[1]'],
    ['memory that only the first states', [starting({ city: 'Berlin' }, OUTPUT), CLAIM], '[1]'],
    ['memory that is null', [OUTPUT, starting(null, CLAIM)], '[1]'],
    ['memory that only some state', [OUTPUT, starting({}, CLAIM), CLAIM], '[2]'],
    ['after a strict block that leaves something', [STRICT, CLAIM], '[1]'],
    [
      'ids of its own',
      [
        { id: 'one', ...OUTPUT },
        { id: 'two', ...CLAIM },
      ],
      '[1]',
    ],
  ])('%s', (_name, items, at) => {
    expect(warnings(items)).toEqual([
      expect.stringMatching(new RegExp(`^\\${at} this test starts with empty memory;`)),
    ]);
  });

  test('is reported once, with the number of such tests', () => {
    expect(warnings([OUTPUT, CLAIM, CLAIM, STRICT])).toEqual([
      expect.stringContaining('[1] this test starts with empty memory (and 2 more of this list)'),
    ]);
  });
});

test.each<[name: string, items: object | object[]]>([
  [
    'every test states its memory',
    [starting({}, OUTPUT), starting({ city: 'Berlin' }, CLAIM), starting({}, STRICT)],
  ],
  ['the tests with claims about memory state it', [OUTPUT, starting({}, CLAIM)]],
  ['there is no claim about memory', [OUTPUT, OUTPUT]],
  ['only the first test has such a claim', [CLAIM, OUTPUT]],
  ['a strict block that does not mention memory', [CLAIM, EMPTY]],
  ['one test only', [CLAIM]],
  ['the test before must leave nothing', [EMPTY, EMPTY, CLAIM]],
  ['steps', { steps: [OUTPUT, CLAIM] }],
  ['a list of tests with steps, which TestHaven does not have', [{ steps: [CLAIM] }, { steps: [CLAIM] }]],
])('no warning: %s', (_name, items) => {
  expect(warnings(items)).toEqual([]);
});
