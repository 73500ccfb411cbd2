import { describe, expect, test } from 'vitest';
import { parseSuite } from '../../src/suites/load/parse-suite.ts';
import type { Place } from '../../src/base/model/place.ts';

const at = ({ line, column }: Pick<Place, 'line' | 'column'>): string => `${line}:${column}`;

function places(path: string, text: string) {
  const { suite, findings } = parseSuite({ path, text });
  return {
    tests: suite?.tests.map(({ place }) => at(place)),
    steps: suite?.tests.flatMap(({ steps }) => steps.map(({ place }) => at(place))),
    inputs: suite?.tests.flatMap(({ steps }) => steps.flatMap((step) => step.places.input_messages.map(at))),
    expected: suite?.tests.flatMap(({ steps }) =>
      steps.flatMap((step) => step.places.expected_messages.map(at)),
    ),
    assertions: suite?.tests.flatMap(({ steps, assertions }) =>
      [...assertions, ...steps.flatMap((step) => step.assertions)].map(({ place }) => at(place)),
    ),
    findings: findings.map((finding) => `${at(finding)} ${finding.code}`),
    suite,
  };
}

const EVAL_FILE = `description: d
evalcases:
  - id: a
    input: "hi"
    expected_output:
      - role: assistant
        content: x
      - { role: assistant, content: y }
    evaluators:
      - type: contains
        value: x
      - { type: equals, value: y }
  - id: b
    outcome: G
    input:
      - role: system
        content: s
      - role: user
        content: u
    inptu: oops
    steps: 5
`;

describe('an eval file', () => {
  const { tests, steps, inputs, expected, assertions, findings } = places('a.yaml', EVAL_FILE);

  test('tests, steps, messages and assertions have their places', () => {
    expect(tests).toEqual(['3:5']);
    expect(steps).toEqual(['3:5']);
    expect(inputs).toEqual(['4:12']);
    expect(expected).toEqual(['6:9', '8:9']);
    expect(assertions).toEqual(['10:9', '12:9']);
  });

  test('findings point at the value, or at the key that is the problem', () => {
    expect(findings).toEqual(['15:5 input_beside_steps', '20:5 unknown_field', '21:12 type']);
  });

  test.each([
    ['CRLF', EVAL_FILE.replaceAll('\n', '\r\n')],
    ['CR', EVAL_FILE.replaceAll('\n', '\r')],
    ['a byte order mark', `\uFEFF${EVAL_FILE}`],
    ['astral characters before', EVAL_FILE.replace('description: d', 'description: 😀😀')],
  ])('%s does not change places', (_name, text) => {
    const other = places('a.yaml', text);
    expect({ ...other, suite: undefined }).toEqual({
      tests,
      steps,
      inputs,
      expected,
      assertions,
      findings,
      suite: undefined,
    });
  });

  test('comments, document markers and blank lines count as lines', () => {
    const other = places('a.yaml', `# c\n\n---\n${EVAL_FILE}`);
    expect(other.tests).toEqual(['6:5']);
    expect(other.inputs).toEqual(['7:12']);
  });
});

test('columns count code points, also behind astral characters and tabs', () => {
  const { inputs, expected, findings } = places(
    'a.yaml',
    'cases: [{ id: "😀😀", outcome: "é\t", input: hi, expected_output: x, 😀: 1 }]\n',
  );
  expect(inputs).toEqual(['1:43']);
  expect(expected).toEqual(['1:64']);
  expect(findings).toEqual(['1:67 unknown_field']);
});

test('a single message, a shorthand object and a list as answer have the place of their value', () => {
  const { inputs, expected } = places(
    'a.yaml',
    `cases:
  - id: a
    outcome: G
    input: { role: user, content: x }
    expected_output:
      risk: high
  - id: b
    outcome: G
    input_messages:
      - { role: user, content: x }
    expected_output:
      - 1
      - 2
`,
  );
  expect(inputs).toEqual(['4:12', '10:9']);
  expect(expected).toEqual(['6:7', '12:7']);
});

test('block texts and empty values have their places', () => {
  const { inputs, expected, findings } = places(
    'a.yaml',
    `cases:
  - id: a
    outcome: G
    input: |
      text
    expected_output: &a !!str >-

      folded
    memory:
    tags:
    skip: ~
`,
  );
  expect(inputs).toEqual(['4:12']);
  expect(expected).toEqual(['6:31']);
  expect(findings).toEqual(['9:12 null_value', '10:10 null_value', '11:11 null_value']);
});

test('a missing field is reported at the object that lacks it', () => {
  expect(places('a.yaml', 'cases:\n  - outcome: G\n    input: x\n').findings).toEqual(['2:5 id']);
  expect(places('a.jsonl', '\n  {"outcome":"G","input":"x"}\n').findings).toEqual(['2:3 id']);
});

describe('a step test', () => {
  const text = `description: d
steps:
  - input: one
    assert:
      output.includes: a
      "memory.a.b": [1]
      tools_used:
        - x
  -
    input: two
    expected:
      output: b
  - { input: three, assert: { output.includes: c, nope: d } }
`;

  test('an error in one step does not move the places of the others', () => {
    const { findings } = places('a.test.yaml', text);
    expect(findings).toEqual(['13:51 unknown_assertion']);
  });

  test('steps and claims have their places', () => {
    const { tests, steps, inputs, assertions } = places('a.test.yaml', text.replace(', nope: d', ''));
    expect(tests).toEqual(['1:1']);
    expect(steps).toEqual(['3:5', '10:5', '13:5']);
    expect(inputs).toEqual(['3:12', '10:12', '13:14']);
    expect(assertions).toEqual(['5:24', '6:21', '8:9', '12:7', '13:48']);
  });

  test('places are the same in JSON', () => {
    const { tests, steps, inputs, assertions } = places(
      'a.test.json',
      '[\n {"input": "x",\n  "assert": {"output.equals":\n   "y"}}]',
    );
    expect([tests, steps, inputs, assertions]).toEqual([['2:2'], ['2:2'], ['2:12'], ['4:4']]);
  });
});

describe('anchors, aliases and merges', () => {
  test('an alias has the place where it is used, and its content the place where it is defined', () => {
    const { inputs, expected, findings } = places(
      'a.yaml',
      `cases:
  - id: a
    outcome: G
    input: &q
      - { role: user, content: x }
    expected_output: *q
    memory: &m { a: 1 }
    metadata: *m
    description: *m
`,
    );
    expect(inputs).toEqual(['5:9']);
    expect(expected).toEqual(['5:9']);
    expect(findings).toEqual(['9:18 type']);
  });

  test('merged keys have the place where they were written', () => {
    const { assertions, findings } = places(
      'a.test.yaml',
      `- &base
  input: x
  assert: &checks
    output.includes: a
- <<: *base
  assert:
    <<: *checks
    nope: b
- <<: *base
  description: d
`,
    );
    expect(assertions).toEqual(['4:22', '4:22']);
    expect(findings).toEqual(['8:5 unknown_assertion']);
  });

  test('an own key wins over a merged one, and in a list of merges the first wins', () => {
    const { suite } = places(
      'a.test.yaml',
      `input: x
assert:
  memory.a:
    <<: [{ k: 1, l: 1 }, { l: 2, m: 2 }]
    k: own
`,
    );
    expect(suite!.tests[0]!.steps[0]!.assertions[0]!.parameters['value']).toEqual({ k: 'own', l: 1, m: 2 });
  });
});

test('a syntax error is reported where the mistake was made', () => {
  expect(places('a.yaml', 'cases:\n\t- id: a\n').findings).toEqual(['2:1 yaml_syntax']);
  expect(places('a.yaml', 'cases:\r\n  - id: "a\r\n    input: x\r\n').findings).toEqual(['2:9 yaml_syntax']);
  expect(places('a.json', '{\n "cases": [\n  {"id": }]}').findings).toEqual(['3:10 json']);
  expect(places('a.json', '\uFEFF{"é😀": }').findings).toEqual(['1:8 json']);
});

test('places in a very long line are found without recounting it', () => {
  const cases = Array.from({ length: 20_000 }, (_, index) => `{"id":"😀${index}","outcome":"G","input":"x"}`);
  const { suite, findings } = parseSuite({ path: 'a.json', text: `{"cases":[${cases.join(',')}]}` });
  expect(findings).toEqual([]);
  const before = cases.slice(0, 19_999).join(',');
  expect(suite!.tests.at(-1)!.place).toMatchObject({
    line: 1,
    column: [...before].length + '{"cases":['.length + 2,
  });
});
