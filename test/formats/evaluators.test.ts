import { describe, expect, test } from 'vitest';
import { parseCase, summary } from './parse-case.ts';

/** Reads a list of evaluators as that of a case. Paths start at the evaluator. */
function read(...evaluators: unknown[]) {
  const { test: parsed, findings } = parseCase({ id: 'a', input: 'q', evaluators }, 'jsonl');
  return {
    assertions: parsed?.steps[0]?.assertions,
    problems: findings.map((finding) =>
      summary({ ...finding, path: finding.path.replace(/^evaluators\[0\]\.?/, '') }),
    ),
    findings,
  };
}

interface Sample {
  readonly type: string;
  readonly valid: Record<string, unknown>;
  readonly isBinary?: boolean;
  /** What is wrong with each of these changes. */
  readonly wrong: readonly (readonly [Record<string, unknown>, string])[];
}

const NO_FIELD = 'error unknown_field';

const SAMPLES: readonly Sample[] = [
  ...['contains', 'icontains', 'starts_with', 'ends_with', 'equals'].map((type) => ({
    type,
    valid: { value: 'x' },
    isBinary: true,
    wrong: [
      [{ value: undefined }, 'error missing_value value'],
      [{ value: null }, 'error missing_value value'],
      [{ value: 99 }, 'error type value'],
      [{ value: ['x'] }, 'error type value'],
      [{ valeu: 'x' }, `${NO_FIELD} valeu`],
    ] as const,
  })),
  ...['contains_any', 'contains_all'].map((type) => ({
    type,
    valid: { value: ['x', 'y'] },
    isBinary: true,
    wrong: [
      [{ value: undefined }, 'error missing_value value'],
      [{ value: 'x' }, 'error type value'],
      [{ value: [] }, 'error empty value'],
      [{ value: ['x', 5] }, 'error type value[1]'],
    ] as const,
  })),
  {
    type: 'regex',
    valid: { value: '^a', dialect: 'python', flags: 'imsxa' },
    isBinary: true,
    wrong: [
      [{ value: undefined }, 'error missing_value value'],
      [{ value: 5 }, 'error type value'],
      [{ value: '(' }, 'error pattern value'],
      [{ value: 'a(?i)' }, 'error pattern value'],
      [{ dialect: 'perl' }, 'error value dialect'],
      [{ flags: 'q' }, 'error value flags'],
      [{ dialect: 'js', flags: 'g' }, 'error value flags'],
      [{ dialect: 'js', flags: '', value: '(' }, 'error pattern value'],
      [{ pattern: 'x' }, `${NO_FIELD} pattern`],
    ],
  },
  {
    type: 'is_json',
    valid: { schema: { type: 'object' } },
    isBinary: true,
    wrong: [
      [{ schema: 5 }, 'error type schema'],
      [{ shcema: {} }, `${NO_FIELD} shcema`],
    ],
  },
  {
    type: 'match',
    valid: { partial: true },
    isBinary: true,
    wrong: [
      [{ partial: 'yes' }, 'error type partial'],
      [{ value: 'x' }, `${NO_FIELD} value`],
    ],
  },
  {
    type: 'tool_trajectory',
    valid: {
      mode: 'in_order',
      expected: [
        { tool: 'a', args: { x: 1 }, max_duration_ms: 5 },
        { tool: 'b', args: 'any', args_match: 'exact' },
      ],
      minimums: { a: 1 },
      maximums: { a: 2 },
      forbidden: ['c'],
      max_calls: 9,
      args_match: 'partial',
    },
    wrong: [
      [{ mode: 'strict' }, 'error value mode'],
      [{ mode: undefined }, 'error missing_mode'],
      [{ mode: 'exact', expected: undefined }, 'error missing_expected'],
      [{ expected: 'a' }, 'error type expected'],
      [{ expected: ['a'] }, 'error type expected[0]'],
      [{ expected: [{ args: {} }] }, 'error missing_tool expected[0].tool'],
      [{ expected: [{ tool: 'a', args: 'some' }] }, 'error value expected[0].args'],
      [{ expected: [{ tool: 'a', argz: {} }] }, `${NO_FIELD} expected[0].argz`],
      [{ minimums: { a: -1 } }, 'error range minimums.a'],
      [{ maximums: ['a'] }, 'error type maximums'],
      [{ forbidden: 'c' }, 'error type forbidden'],
      [{ max_calls: 1.5 }, 'error range max_calls'],
      [{ args_match: 'deep' }, 'error value args_match'],
    ],
  },
  {
    type: 'field_accuracy',
    valid: {
      fields: [
        {
          path: 'a.b[0].c',
          match: 'numeric_tolerance',
          tolerance: 0.1,
          relative: true,
          weight: 2,
          required: false,
        },
        { path: 'd', match: 'date', formats: ['YYYY-MM-DD'] },
      ],
      aggregation: 'all_or_nothing',
    },
    wrong: [
      [{ fields: undefined }, 'error missing_fields fields'],
      [{ fields: [] }, 'error empty fields'],
      [{ fields: [{ match: 'exact' }] }, 'error missing_path fields[0].path'],
      [{ fields: [{ path: 'a' }] }, 'error missing_match fields[0].match'],
      [{ fields: [{ path: 'a', match: 'fuzzy' }] }, 'error value fields[0].match'],
      [{ fields: [{ path: 'a', match: 'exact', tolerance: -1 }] }, 'error range fields[0].tolerance'],
      [{ aggregation: 'mean' }, 'error value aggregation'],
    ],
  },
  {
    type: 'latency',
    valid: { threshold: 500 },
    isBinary: true,
    wrong: [
      [{ threshold: undefined }, 'error missing_threshold threshold'],
      [{ threshold: '500' }, 'error duration threshold'],
      [{ threshold: -1 }, 'error range threshold'],
    ],
  },
  {
    type: 'cost',
    valid: { budget: 0.05 },
    isBinary: true,
    wrong: [
      [{ budget: undefined }, 'error missing_budget budget'],
      [{ budget: true }, 'error type budget'],
      [{ max: 1 }, `${NO_FIELD} max`],
    ],
  },
  {
    type: 'token_usage',
    valid: { max_total: 10 },
    isBinary: true,
    wrong: [
      [{ max_total: undefined }, 'error missing_field'],
      [{ max_total: 1.5 }, 'error range max_total'],
      [{ max_tokens: 5 }, `${NO_FIELD} max_tokens`],
    ],
  },
  {
    type: 'execution_metrics',
    valid: { max_tool_calls: 1, max_llm_calls: 2, max_tokens: 3, max_cost_usd: 0.4, max_duration_ms: 5 },
    wrong: [
      [{ max_tool_calls: -1 }, 'error range max_tool_calls'],
      [{ max_calls: 1 }, `${NO_FIELD} max_calls`],
    ],
  },
  {
    type: 'memory',
    valid: { path: 'a.b', equals: null },
    isBinary: true,
    wrong: [
      [{ path: undefined }, 'error missing_path path'],
      [{ equals: undefined }, 'error missing_field'],
      [{ exists: true }, 'error missing_field'],
      [{ equals: undefined, matches: '(' }, 'error pattern matches'],
      [{ equals: undefined, exists: 'yes' }, 'error type exists'],
    ],
  },
  {
    type: 'code_judge',
    valid: { script: ['node', 'x.js'], cwd: '.', timeout_ms: 5 },
    wrong: [
      [{ script: undefined }, 'error missing_script script'],
      [{ script: [] }, 'error empty script'],
      [{ script: 5 }, 'error type script'],
      [{ timeout_ms: 0 }, 'error range timeout_ms'],
    ],
  },
  {
    type: 'llm_judge',
    valid: { prompt: 'Judge {{candidate_answer}}', rubrics: ['a'], target: 't', samples: 3 },
    wrong: [
      [{ prompt: 5 }, 'error type prompt'],
      [{ prompt: {} }, 'error missing_script prompt.script'],
      [{ samples: 0 }, 'error range samples'],
      [{ rubrics: [] }, 'error empty rubrics'],
    ],
  },
  {
    type: 'rubric',
    valid: {
      rubrics: [
        'a',
        {
          id: 'i',
          expected_outcome: 'b',
          weight: 2,
          required: false,
          required_min_score: 7,
          score_ranges: { 0: 'bad', 5: 'good' },
        },
      ],
    },
    wrong: [
      [{ rubrics: undefined }, 'error missing_rubrics rubrics'],
      [{ rubrics: [] }, 'error empty rubrics'],
      [{ rubrics: [''] }, 'error type rubrics[0]'],
      [{ rubrics: [5] }, 'error type rubrics[0]'],
      [{ rubrics: [{}] }, 'error missing_expected_outcome rubrics[0]'],
      [{ rubrics: [{ id: 'x' }] }, 'error missing_expected_outcome rubrics[0]'],
      [
        { rubrics: [{ expected_outcome: 'b', required_min_score: 11 }] },
        'error range rubrics[0].required_min_score',
      ],
      [{ rubrics: [{ expected_outcome: 'b', wieght: 1 }] }, `${NO_FIELD} rubrics[0].wieght`],
    ],
  },
  {
    type: 'composite',
    valid: {
      evaluators: [
        { type: 'contains', value: 'x' },
        { type: 'latency', threshold: 1 },
      ],
      aggregator: { type: 'weighted_average', weights: { contains: 2, latency: 0 } },
    },
    wrong: [
      [{ evaluators: undefined, aggregator: undefined }, 'error missing_evaluators evaluators'],
      [{ evaluators: [], aggregator: undefined }, 'error empty evaluators'],
      [
        { evaluators: [{ type: 'contains' }], aggregator: undefined },
        'error missing_value evaluators[0].value',
      ],
      [{ aggregator: { type: 'median' } }, 'error value aggregator.type'],
      [{ aggregator: {} }, 'error missing_type aggregator.type'],
      [{ aggregator: { type: 'code_judge' } }, 'error missing_script aggregator'],
      [
        { aggregator: { type: 'weighted_average', weights: { contians: 1 } } },
        'error unknown_name aggregator.weights.contians',
      ],
      [
        { aggregator: { type: 'weighted_average', weights: { contains: -1 } } },
        'error range aggregator.weights.contains',
      ],
    ],
  },
];

describe.each(SAMPLES)('$type', ({ type, valid, wrong, isBinary = false }) => {
  test('is read, with parameters spelled as in the file', () => {
    const { assertions, problems } = read({ type, ...valid });
    expect(problems).toEqual([]);
    expect(assertions).toMatchObject([
      { form: 'evaluator', kind: type, name: type, weight: 1, required: false, negate: false },
    ]);
    if (type !== 'composite') expect(assertions![0]!.parameters).toEqual(valid);
  });

  test('accepts the common fields', () => {
    const { assertions, problems } = read({ type, ...valid, name: 'mine', weight: 0.5, required: 0.9 });
    expect(problems).toEqual([]);
    expect(assertions).toMatchObject([{ name: 'mine', weight: 0.5, required: 0.9 }]);
    expect(assertions![0]!.parameters).not.toHaveProperty('weight');
  });

  test(isBinary ? 'can be negated' : 'cannot be negated', () => {
    const { assertions, problems } = read({ type, ...valid, negate: true });
    expect(problems).toEqual(isBinary ? [] : ['error negate negate']);
    if (isBinary) expect(assertions![0]!.negate).toBe(true);
    expect(read({ type, ...valid, negate: false }).problems).toEqual([]);
  });

  test.each([
    [{ weight: -1 }, 'error range weight'],
    [{ weight: '1' }, 'error type weight'],
    [{ required: 2 }, 'error range required'],
    [{ required: 'yes' }, 'error type required'],
    [{ name: '' }, 'error type name'],
    [{ negate: 'x' }, 'error type negate'],
  ])('with %j is an error', (change, finding) => {
    const { assertions, problems } = read({ type, ...valid, ...change });
    expect(problems).toEqual([finding]);
    expect(assertions).toBeUndefined();
  });

  test.each(wrong)('with %j is an error', (change, finding) => {
    const { assertions, problems } = read({ type, ...valid, ...change });
    expect(problems).toContain(finding);
    expect(assertions).toBeUndefined();
  });

  test.each(['code_judge', 'llm_judge'].includes(type) ? [] : ['zzz', 'config', '__proto__x'])(
    'the unknown key %s is an error',
    (key) => {
      expect(read({ type, ...valid, [key]: 1 }).problems).toEqual([`${NO_FIELD} ${key}`]);
    },
  );
});

test('unknown keys of code_judge and llm_judge go into config', () => {
  const line =
    '{"id":"a","input":"q","evaluators":[{"type":"code_judge","script":"x","max_words":5,"__proto__":{"a":1}},{"type":"llm_judge","tone":["kind"]}]}';
  const { test: parsed, findings } = parseCase(JSON.parse(line), 'jsonl');
  expect(findings).toEqual([]);
  const [code, llm] = parsed!.steps[0]!.assertions;
  expect(JSON.stringify(code!.parameters)).toBe(
    '{"script":"x","config":{"max_words":5,"__proto__":{"a":1}}}',
  );
  expect(llm!.parameters).toEqual({ config: { tone: ['kind'] } });
});

test('a pattern is checked together with its flags', () => {
  expect(read({ type: 'regex', flags: 'x', value: 'a # (' }).problems).toEqual([]);
  expect(read({ type: 'regex', flags: 'i', value: 'a # (' }).findings[0]!.message).toContain('at position 4');
});

test.each([
  ['input', 'warning read_as_args expected[0].input'],
  ['output', 'warning not_judged expected[0].output'],
])('%s of an expected call is a warning', (key, finding) => {
  expect(
    read({ type: 'tool_trajectory', mode: 'exact', expected: [{ tool: 'a', [key]: { x: 1 } }] }).problems,
  ).toEqual([finding]);
});

test('input and args of an expected call cannot be used together', () => {
  expect(
    read({ type: 'tool_trajectory', mode: 'exact', expected: [{ tool: 'a', input: {}, args: {} }] }).problems,
  ).toContain('error given_twice expected[0].input');
});
