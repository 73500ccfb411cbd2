import * as fc from '../seeded-fast-check.ts';
import { expect, test } from 'vitest';
import { parseSuite } from '../../src/suites/load/parse-suite.ts';
import type { Assertion } from '../../src/base/model/assertion.ts';
import { CASE_FORMATS, parseCase, summary, type CaseFormat } from './parse-case.ts';

/** Printable text: what a raw YAML text may not hold is written as an escape by its author, and tested elsewhere. */
const text = fc.string({ unit: fc.constantFrom(...'ab Z09:-#{}[]\'"\\/,&*!|>%@`?\n\té😀'), maxLength: 12 });
const json = fc
  .jsonValue({ maxDepth: 3, stringUnit: fc.constantFrom(...'ab "\\\n😀') })
  .map(withoutMinusZero);
const role = fc.constantFrom('system', 'user', 'assistant', 'tool', 'robot', 5);
const message = fc.record(
  {
    role,
    content: fc.oneof(text, json),
    name: text,
    tool_calls: fc.array(fc.oneof(fc.record({ tool: text, input: json }), json), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const messages = fc.oneof(text, message, fc.array(fc.oneof(message, json), { maxLength: 3 }), json);
const evaluator = fc.record(
  {
    type: fc.oneof(
      fc.constantFrom(
        'contains',
        'equals',
        'regex',
        'latency',
        'rubric',
        'tool_trajectory',
        'llm_judge',
        'composite',
        'contians',
      ),
      json,
    ),
    value: fc.oneof(text, json),
    threshold: json,
    weight: fc.oneof(fc.double({ noNaN: true }).map(withoutMinusZero), json),
    name: text,
    negate: fc.boolean(),
    rubrics: fc.array(fc.oneof(text, json), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const evaluators = fc.oneof(fc.array(evaluator, { maxLength: 3 }), json);
const step = fc.record(
  {
    input: messages,
    assert: fc.oneof(
      fc.dictionary(
        fc.constantFrom('output.includes', 'output.equals_2', 'tools_used', 'memory.a', 'output'),
        fc.oneof(text, json),
      ),
      evaluators,
    ),
    expected: json,
  },
  { requiredKeys: [] },
);
const wildCase = fc.record(
  {
    id: fc.oneof(text, json),
    expected_outcome: fc.oneof(text, json),
    input: messages,
    input_messages: messages,
    expected_output: messages,
    expected_messages: messages,
    evaluators,
    assert: evaluators,
    execution: fc.oneof(fc.record({ target: text, evaluators }, { requiredKeys: [] }), json),
    rubrics: json,
    steps: fc.oneof(fc.array(step, { maxLength: 2 }), json),
    memory: json,
    tags: json,
    skip: json,
    threshold: json,
    unknown: json,
  },
  { requiredKeys: ['id'] },
);

const validMessage = fc.record({
  role: fc.constantFrom('user', 'assistant'),
  content: fc.oneof(text, fc.dictionary(text, json)),
  extra: json,
});
const validAssertion = fc.oneof(
  fc.record({ type: fc.constant('contains'), value: text }),
  fc.record({ type: fc.constant('rubric'), rubrics: fc.constant(['a']), weight: fc.nat() }),
);
const validCase = fc.record(
  {
    id: text.map((words) => `id${words}`),
    expected_outcome: fc.constant('Goal'),
    input: fc.oneof(text, validMessage, fc.array(validMessage, { minLength: 1, maxLength: 3 })),
    expected_output: fc.oneof(text, fc.array(validMessage, { maxLength: 2 }), fc.dictionary(text, json)),
    evaluators: fc.array(validAssertion, { maxLength: 3 }),
    memory: fc.dictionary(text, json),
    rubrics: fc.constant(['b']),
    unknown: json,
  },
  { requiredKeys: ['id', 'input', 'expected_outcome'] },
);
const evalCase = fc.oneof(wildCase, validCase);

test('YAML, JSON and JSONL give the same tests and the same findings for the same content', () => {
  fc.assert(
    fc.property(evalCase, (authored) => {
      const [first, ...others] = CASE_FORMATS.map((format) => withoutPlaces(authored, format));
      for (const other of others) expect(other).toEqual(first);
    }),
    { numRuns: 250 },
  );
});

test('the generated cases are both valid and invalid', () => {
  const outcomes = fc
    .sample(evalCase, { numRuns: 200, seed: 7 })
    .map((authored) => parseCase(authored, 'jsonl').test !== undefined);
  expect(outcomes.filter(Boolean).length).toBeGreaterThan(20);
  expect(outcomes.filter((isValid) => !isValid).length).toBeGreaterThan(20);
});

test('a case in block style is the same as in flow style', () => {
  const block = `evalcases:
  - id: a
    expected_outcome: >
      folded
      text
    input: |
      line 1
      line 2
    expected_output:
      deep: { a: [1, 2.5, true, null] }
`;
  const flow =
    '{"id":"a","expected_outcome":"folded text\\n","input":"line 1\\nline 2\\n","expected_output":{"deep":{"a":[1,2.5,true,null]}}}';
  const [one] = parseSuite({ path: 'a.yaml', text: block }).suite!.tests;
  const [other] = parseSuite({ path: 'a.jsonl', text: flow }).suite!.tests;
  expect([one!.id, one!.expected_outcome, one!.input_messages, one!.expected_messages]).toEqual([
    other!.id,
    other!.expected_outcome,
    other!.input_messages,
    other!.expected_messages,
  ]);
});

function withoutPlaces(authored: unknown, format: CaseFormat): unknown {
  const { test: read, findings } = parseCase(authored, format);
  const plain =
    read === undefined
      ? undefined
      : {
          ...read,
          place: undefined,
          assertions: read.assertions.map(plainAssertion),
          steps: read.steps.map(({ input_messages, expected_messages, assertions }) => ({
            input_messages,
            expected_messages,
            assertions: assertions.map(plainAssertion),
          })),
        };
  return { test: plain, findings: findings.map(summary).toSorted() };
}

function plainAssertion({ place: _place, parameters, ...assertion }: Assertion): unknown {
  const nested = parameters['evaluators'];
  return {
    ...assertion,
    parameters: Array.isArray(nested) ? (nested as unknown as Assertion[]).map(plainAssertion) : parameters,
  };
}

/** JSON knows -0, YAML's core schema reads it as the whole number 0. */
function withoutMinusZero<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_key, item: unknown) => (Object.is(item, -0) ? 0 : item)) as T;
}
