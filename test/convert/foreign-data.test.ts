import { expect, test } from 'vitest';
import { withForeignData } from '../../src/suites/convert/foreign-data.ts';
import type { Json } from '../../src/base/model/json.ts';
import type { Test } from '../../src/base/model/test.ts';
import { convertIn } from './convert-in.ts';

const json = JSON.stringify;
const parameters = ({ steps, assertions }: Test): readonly Json[] =>
  [...steps.flatMap((step) => step.assertions), ...assertions].map(
    (each) => each.parameters as unknown as Json,
  );

test('ADK: arguments and the final state stay data', async () => {
  const invocation = {
    user_content: { parts: [{ text: 'Hi' }] },
    intermediate_data: {
      tool_uses: [
        {
          name: 'find',
          args: { filter: { $gte: 18, $lt: 65 }, list: [{ $any: true }], plain: { $ref: 'x' } },
        },
        { name: 'all', args: { $absent: true } },
        { name: 'mixed', args: { filter: { $regex: '(', name: 1 } } },
      ],
    },
  };
  const { tests } = await convertIn({
    'a.evalset.json': json({
      eval_set_id: 's',
      eval_cases: [{ eval_id: 'c', conversation: [invocation], final_session_state: { q: { $any: true } } }],
    }),
  });
  const [trajectory, memory] = parameters(tests[0]!) as unknown as readonly Record<string, Json>[];
  expect(trajectory!['expected']).toMatchObject([
    {
      args: {
        filter: { $literal: { $gte: 18, $lt: 65 } },
        list: [{ $literal: { $any: true } }],
        plain: { $ref: 'x' },
      },
    },
    { args: { $literal: { $absent: true } } },
    { args: { filter: { $literal: { $regex: '(', name: 1 } } } },
  ]);
  expect(memory!['equals']).toEqual({ $literal: { $any: true } });
});

test('LangSmith: outputs stay data', async () => {
  const { tests, errors } = await convertIn({
    'l.jsonl': [
      json({ inputs: { q: 'a' }, outputs: { a: { rows: [{ $length: 2 }] } } }),
      json({ inputs: { q: 'b' }, outputs: { a: { $any: true } } }),
      json({ inputs: { q: 'c' }, outputs: { a: { $literal: 1 } } }),
    ].join('\n'),
  });
  expect(errors).toEqual([]);
  expect(tests.map(({ steps }) => steps[0]!.expected_messages[0]!['content'])).toEqual([
    { rows: [{ $literal: { $length: 2 } }] },
    { $literal: { $any: true } },
    { $literal: { $literal: 1 } },
  ]);
});

test('DeepEval: tool parameters stay data, in JSON and CSV', async () => {
  const expected = { tool: 'find', args: { filter: { $literal: { $not: 1 } } } };
  const tools = [{ name: 'find', inputParameters: { filter: { $not: 1 } } }];
  const list = await convertIn({ 'g.json': json([{ input: 'a', expected_tools: tools }]) });
  const table = await convertIn({
    'g.csv': `input,expected_tools\na,"${json(tools).replaceAll('"', '""')}"\n`,
  });
  for (const { tests } of [list, table])
    expect(parameters(tests[0]!)).toMatchObject([{ expected: [expected] }]);
});

test('promptfoo: tool arguments stay data', async () => {
  const { tests } = await convertIn({
    'promptfooconfig.yaml': `
prompts: ["{{q}}"]
providers: [echo]
tests:
  - vars: { q: a }
    assert:
      - type: trajectory:tool-args-match
        value: { name: find, args: { age: { $gte: 18 } }, mode: exact }
`,
  });
  expect(parameters(tests[0]!)).toMatchObject([
    { expected: [{ tool: 'find', args: { age: { $literal: { $gte: 18 } } } }] },
  ]);
});

test('a variable with such a value is data too; values that are not compared keep their shape', () => {
  const looksLikeOne = { $gte: 1 };
  const [each] = withForeignData({
    evalcases: [
      {
        vars: { f: looksLikeOne },
        metadata: looksLikeOne,
        memory: looksLikeOne,
        evaluators: [
          { type: 'tool_trajectory', expected: [{ tool: 't', args: { f: '{{f}}', g: 'is {{f}}' } }] },
          { type: 'is_json', schema: { const: looksLikeOne } },
        ],
      },
    ],
  })['evalcases'] as readonly Json[];
  expect(each).toEqual({
    vars: { f: looksLikeOne },
    metadata: looksLikeOne,
    memory: looksLikeOne,
    evaluators: [
      {
        type: 'tool_trajectory',
        expected: [{ tool: 't', args: { f: { $literal: '{{f}}' }, g: 'is {{f}}' } }],
      },
      { type: 'is_json', schema: { const: looksLikeOne } },
    ],
  });
});
