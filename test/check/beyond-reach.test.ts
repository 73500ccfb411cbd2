import { expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

type Case = Readonly<Record<string, unknown>>;

const contains = (value: string): object => ({ type: 'contains', value });
const calls = (fields: object): object => ({ type: 'tool_trajectory', ...fields });
const tools = (...names: readonly string[]): readonly object[] => names.map((tool) => ({ tool }));
/** A claim about memory beside a good one. */
const remembers = (fits: unknown): readonly Case[] => [
  { evaluators: [contains('Lima'), { type: 'memory', path: 'trip', equals: fits }] },
];
const order = calls({ mode: 'in_order', expected: tools('find', 'hold', 'pay') });

/** Each has one defect. */
const DEFECTS: Readonly<Record<string, readonly Case[]>> = {
  ...Object.fromEntries(
    [
      { $oneOf: ['Lima', { $any: true }] },
      { $oneOf: [{ $type: 'number' }, { $not: { $type: 'number' } }] },
      { $length: { $gte: 0 } },
      { $length: { $gt: -1 } },
      { $length: { $any: true } },
      { $length: { $not: -3 } },
      { $each: { $any: true } },
      { $each: { $oneOf: [1, { $any: true }] } },
      { $approx: 100, within: 500 },
      { $approx: 2.5, within: 2.5 },
      { $approx: -40, within: 90 },
      { $contains: '' },
      { $partial: {} },
      { $regex: '.*' },
      { days: { $length: { $gte: 0 } } },
      [{ $approx: 3, within: 30 }],
    ].map((fits) => [`matcher ${JSON.stringify(fits)}`, remembers(fits)]),
  ),
  ...Object.fromEntries(
    [
      [order, { type: 'execution_metrics', max_tool_calls: 2 }],
      [calls({ mode: 'exact', expected: tools('find', 'pay'), max_calls: 1 })],
      [calls({ mode: 'any_order', expected: tools('pay', 'pay'), maximums: { pay: 1 } })],
      [calls({ minimums: { find: 2, pay: 2 }, max_calls: 3 })],
      [calls({ mode: 'in_order', expected: tools('find'), forbidden: ['find'] })],
      [calls({ minimums: { find: 4 } }), { type: 'execution_metrics', max_tool_calls: 3 }],
    ].map((evaluators, index) => [`limit ${index + 1}`, [{ evaluators: [contains('Lima'), ...evaluators] }]]),
  ),
  'limits of the attempt': [{ limits: { tool_calls: 2 }, evaluators: [order] }],
  'a fault of a forbidden tool': [
    {
      faults: [{ on: 'tool pay', call: 1, do: { reply: 'no' } }],
      evaluators: [contains('Lima'), calls({ forbidden: ['pay'] })],
    },
  ],
  'a fault of a call that is one too many': [
    {
      faults: [{ on: 'tool find', call: 2, do: { reply: 'no' } }],
      evaluators: [contains('Lima'), calls({ mode: 'exact', expected: tools('find', 'pay') })],
    },
  ],
  'a fault of a tool outside of a subset': [
    {
      faults: [{ on: 'tool mail', call: 1, do: { reply: 'no' } }],
      evaluators: [contains('Lima'), calls({ mode: 'subset', expected: tools('find') })],
    },
  ],
  'a fault beyond the limit of model calls': [
    {
      faults: [{ on: 'model', call: 4, do: 500 }],
      limits: { model_calls: 3 },
      evaluators: [contains('Lima')],
    },
  ],
  'a fault beyond the model calls that are allowed': [
    {
      faults: [{ on: 'model', call: 3, do: 'timeout' }],
      evaluators: [contains('Lima'), { type: 'execution_metrics', max_llm_calls: 2 }],
    },
  ],
  'the same check twice for one question': [
    { input: 'Where?', evaluators: [contains('Lima'), contains('Peru')] },
    { input: 'Where?', evaluators: [contains('coast'), contains('Lima')] },
  ],
  'one check is all of another case': [
    { input: 'Where?', evaluators: [contains('Lima'), contains('Peru')] },
    { input: 'Where?', evaluators: [contains('Peru')] },
  ],
  'two answers in rows': [
    {
      id: '{{n}}',
      input: '{{q}}',
      evaluators: [{ type: 'equals', value: '{{a}}' }],
      each: [
        { n: 'a', q: 'Where?', a: 'Lima' },
        { n: 'b', q: 'When?', a: 'Noon' },
        { n: 'c', q: 'Where?', a: 'Cusco' },
      ],
    },
  ],
  'two expected answers': [
    { input: 'Where?', expected_output: 'Lima', evaluators: [{ type: 'match' }] },
    { input: 'Where?', expected_output: 'Cusco', evaluators: [{ type: 'match' }] },
  ],
  'an answer and its opposite': [
    { input: 'Where?', evaluators: [{ type: 'equals', value: 'Lima' }] },
    { input: 'Where?', evaluators: [{ type: 'contains', value: 'Lima', negate: true }, contains('Cusco')] },
  ],
  'two lists of tools': [
    { input: 'Pay', evaluators: [contains('paid'), calls({ mode: 'exact', expected: tools('pay') })] },
    {
      input: 'Pay',
      evaluators: [contains('done'), calls({ mode: 'exact', expected: tools('find', 'pay') })],
    },
  ],
};

const GOOD: Readonly<Record<string, readonly Case[]>> = {
  ...Object.fromEntries(
    [
      { $oneOf: ['Lima', 'Cusco'] },
      { $oneOf: [null, { $type: 'string' }] },
      { $oneOf: [{ $gte: 5 }, { $type: 'string' }] },
      { $length: { $gte: 1 } },
      { $length: { $lte: 40_000 } },
      { $length: 0 },
      { $length: { $not: 0 } },
      { $each: { $gte: 0 } },
      { $each: { $type: 'string' } },
      { $approx: 100, within: 5 },
      { $approx: 0, within: 0.5 },
      { $approx: -40, within: 1 },
      { $any: true },
      { $partial: { city: { $any: true } } },
      { $not: 'Cusco' },
    ].map((fits) => [`matcher ${JSON.stringify(fits)}`, remembers(fits)]),
  ),
  'no calls listed beside minimums': [
    { evaluators: [contains('Lima'), calls({ mode: 'any_order', expected: [], minimums: { find: 1 } })] },
  ],
  'no calls listed beside a maximum': [
    { evaluators: [contains('Lima'), calls({ mode: 'in_order', expected: [], max_calls: 3 })] },
  ],
  ...Object.fromEntries(
    [
      String.raw`^\p{Lu}\w+ was`,
      String.raw`[\p{L}\d]{4,} Peru`,
      String.raw`(?<city>L\w+), Peru`,
      String.raw`\P{Lu}ima`,
    ].map((value) => [
      `pattern ${value}`,
      [{ evaluators: [{ type: 'regex', value, dialect: 'js', flags: 'u' }] }],
    ]),
  ),
  'a schema with if, then and else': [
    {
      evaluators: [
        {
          type: 'is_json',
          schema: JSON.parse(`{
            "type": "object",
            "required": ["kind"],
            "properties": { "kind": { "enum": ["city", "lake"] }, "people": { "type": "integer" } },
            "if": { "properties": { "kind": { "const": "city" } } },
            "then": { "required": ["people"] },
            "else": { "properties": { "people": false } }
          }`) as object,
        },
      ],
    },
  ],
  'limits that fit': [
    {
      limits: { tool_calls: 3 },
      evaluators: [order, { type: 'execution_metrics', max_tool_calls: 3 }, contains('Lima')],
    },
  ],
  'a fault that can happen': [
    {
      faults: [{ on: 'tool find', call: 2, do: { reply: 'no' } }],
      evaluators: [contains('Lima'), calls({ mode: 'exact', expected: tools('find', 'find') })],
    },
  ],
  'a fault in the last call that is allowed': [
    {
      faults: [{ on: 'model', call: 3, do: 500 }],
      limits: { model_calls: 3 },
      evaluators: [contains('Lima')],
    },
  ],
  'the same question with and without a fault': [
    { input: 'Where?', evaluators: [{ type: 'equals', value: 'Lima' }] },
    {
      input: 'Where?',
      faults: [{ on: 'model', call: 1, do: 500 }],
      evaluators: [{ type: 'equals', value: 'Sorry' }],
    },
  ],
  'the same question with other memory': [
    { input: 'Who?', memory: { name: 'Ada' }, evaluators: [{ type: 'equals', value: 'Ada' }] },
    { input: 'Who?', memory: { name: 'Bob' }, evaluators: [{ type: 'equals', value: 'Bob' }] },
  ],
  'two sides of one question': [
    { input: 'Where?', evaluators: [contains('Lima')] },
    { input: 'Where?', evaluators: [contains('Peru'), { type: 'regex', value: String.raw`\d{3}` }] },
  ],
  'expected answers of two questions': [
    { input: 'Where?', expected_output: 'Lima', evaluators: [{ type: 'match' }] },
    { input: 'When?', expected_output: 'Noon', evaluators: [{ type: 'match' }] },
  ],
};

async function problemsOf(sets: typeof DEFECTS): Promise<Readonly<Record<string, readonly string[]>>> {
  const names = Object.keys(sets);
  const files = names.map((name, place) => [
    `f${place}.eval.json`,
    JSON.stringify({
      evalcases: sets[name]!.map((own, index) => ({ id: `c${index}`, input: 'Where is it?', ...own })),
    }),
  ]);
  const { path, remove } = createProject(Object.fromEntries(files) as Record<string, string>);
  try {
    const { stdout } = await runCli(['check', '.', '--json'], { cwd: path });
    const { findings, not_checked } = JSON.parse(stdout) as {
      findings: readonly { file: string; code: string }[];
      not_checked: readonly { first: { file: string } }[];
    };
    const found = (name: string): readonly string[] => {
      const file = `f${names.indexOf(name)}.eval.json`;
      return [
        ...findings.filter((finding) => finding.file === file).map(({ code }) => code),
        ...not_checked.filter(({ first }) => first.file === file).map(() => 'not checked'),
      ];
    };
    return Object.fromEntries(names.map((name) => [name, found(name)]));
  } finally {
    remove();
  }
}

test('what nothing can break or pass, and what contradicts another test, is found', async () => {
  const found = await problemsOf(DEFECTS);
  expect(Object.keys(found).filter((name) => found[name]!.length === 0)).toEqual([]);
});

test('good tests of the same kinds raise no alarm', async () => {
  const found = await problemsOf(GOOD);
  expect(Object.fromEntries(Object.entries(found).filter(([, codes]) => codes.length > 0))).toEqual({});
});
