import { expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { createProject, runCli } from '../project.ts';

const good = Array.from({ length: 9 }, (_, index) => ({
  tool: `step_${index}`,
  input: { index },
}));
const contains = { type: 'contains', value: 'done' };
const trajectory = (fields: object): object => ({
  type: 'tool_trajectory',
  ...fields,
});
const message = (...tool_calls: readonly object[]): object => ({
  role: 'assistant',
  content: 'done',
  tool_calls,
});
const pay = (n: number): object => ({ tool: 'pay', input: { n } });

interface Case {
  readonly reply: object;
  readonly evaluators: readonly object[];
  readonly verdict: string;
}

/** Nine expected calls, and one that must not be there. */
const DILUTED = { tool_calls: [...good, pay(1), pay(2)] };
const manyCalls = {
  mode: 'in_order',
  expected: good.map(({ tool }) => ({ tool })),
};
const many = Array.from({ length: 9 }, () => contains);
const paid = trajectory({
  mode: 'exact',
  expected: [{ tool: 'pay', args: { n: 1 } }],
});

const CASES: Readonly<Record<string, Case>> = {
  forbidden: {
    reply: DILUTED,
    evaluators: [trajectory({ ...manyCalls, forbidden: ['pay'] })],
    verdict: 'failed',
  },
  maximums: {
    reply: DILUTED,
    evaluators: [trajectory({ ...manyCalls, maximums: { pay: 1 } })],
    verdict: 'failed',
  },
  max_calls: {
    reply: DILUTED,
    evaluators: [trajectory({ ...manyCalls, max_calls: 10 })],
    verdict: 'failed',
  },
  minimums: {
    reply: DILUTED,
    evaluators: [trajectory({ ...manyCalls, minimums: { pay: 3 } })],
    verdict: 'failed',
  },
  minimums_as_score: {
    reply: DILUTED,
    evaluators: [trajectory({ ...manyCalls, minimums: { pay: 3 }, partial_credit: true })],
    verdict: 'passed',
  },
  among_evaluators: {
    reply: DILUTED,
    evaluators: [...many, trajectory({ forbidden: ['pay'] })],
    verdict: 'failed',
  },
  low_requirement: {
    reply: DILUTED,
    evaluators: [trajectory({ ...manyCalls, forbidden: ['pay'], required: 0.1 })],
    verdict: 'failed',
  },
  composite: {
    reply: DILUTED,
    evaluators: [
      {
        type: 'composite',
        evaluators: [...many, trajectory({ forbidden: ['pay'] })],
      },
    ],
    verdict: 'failed',
  },
  by_script: {
    reply: DILUTED,
    evaluators: [
      {
        type: 'composite',
        evaluators: [trajectory({ forbidden: ['pay'] })],
        aggregator: { type: 'code_judge', script: ['echo', '{"score": 1}'] },
      },
    ],
    verdict: 'failed',
  },
  weight_0: {
    reply: DILUTED,
    evaluators: [contains, trajectory({ forbidden: ['pay'], weight: 0 })],
    verdict: 'passed',
  },
  forbidden_by_name: {
    reply: { tools_used: ['pay', 'rm'] },
    evaluators: [
      trajectory({
        mode: 'any_order',
        expected: [{ tool: 'pay', args: { n: 1 } }],
        forbidden: ['rm'],
      }),
    ],
    verdict: 'failed',
  },
  names_only: {
    reply: { tools_used: ['pay'] },
    evaluators: [paid],
    verdict: 'error',
  },
  no_input: {
    reply: { tool_calls: [{ tool: 'pay' }] },
    evaluators: [paid],
    verdict: 'error',
  },
  known: {
    reply: { tool_calls: [pay(1)] },
    evaluators: [paid],
    verdict: 'passed',
  },
  by_messages: {
    reply: { tools_used: ['pay'], output_messages: [message(pay(1))] },
    evaluators: [paid],
    verdict: 'passed',
  },
  other_arguments: {
    reply: { tool_calls: [pay(1)], output_messages: [message(pay(2))] },
    evaluators: [paid],
    verdict: 'error',
  },
  other_order: {
    reply: {
      tool_calls: [pay(1), good[0]],
      output_messages: [message(good[0]!), message(pay(1))],
    },
    evaluators: [
      trajectory({
        mode: 'exact',
        expected: [{ tool: 'pay' }, { tool: 'step_0' }],
      }),
    ],
    verdict: 'error',
  },
};

test('nothing passes without evidence or despite something forbidden', async () => {
  const evalcases = Object.entries(CASES).map(([id, { evaluators }]) => ({
    id,
    input: id,
    evaluators,
  }));
  const replies = Object.fromEntries(
    Object.entries(CASES).map(([id, { reply }]) => [id, { output: 'done', ...reply }]),
  );
  const { path, remove } = createProject({
    'a.eval.json': JSON.stringify({ evalcases }),
    'agent.mjs': `const replies = ${JSON.stringify(replies)};\nexport const agent = (input) => replies[input];\n`,
  });
  try {
    const args = ['run', 'a.eval.json', '--agent', './agent.mjs', '--allow-scripts', '--reporter', 'json'];
    const { stdout, exitCode } = await runCli(args, { cwd: path });
    const { results } = JSON.parse(stdout) as {
      results: readonly AttemptRecord[];
    };
    expect(results.map((result) => [result.test, result.verdict])).toEqual(
      Object.entries(CASES).map(([id, { verdict }]) => [id, verdict]),
    );
    expect(exitCode).toBe(1);
    const forbidden = results[0]!.steps[0]!.assertions[0]!;
    expect(forbidden).toMatchObject({ score: 0.9, passed: false });
    expect(forbidden.message).toContain('pay never (2 calls); a tool was called more often than it may be');
  } finally {
    remove();
  }
});

const FIVE = ['find', 'read', 'check', 'book', 'mail'];
const CALLS = FIVE.map((tool) => ({ tool, input: {} }));
const ANSWER = JSON.stringify({ a: 1, b: 2, c: 3, d: 4, e: 6 });
const FOUR_RIGHT = {
  output: ANSWER,
  tool_calls: CALLS.with(4, { tool: 'call', input: {} }),
  token_usage: { input: 1, output: 1 },
  cost_usd: 0.5,
  output_messages: [{ role: 'assistant', content: ANSWER }],
};
const fiveCalls = {
  type: 'tool_trajectory',
  mode: 'exact',
  expected: FIVE.map((tool) => ({ tool })),
};
const fiveFields = {
  type: 'field_accuracy',
  fields: ['a', 'b', 'c', 'd', 'e'].map((path) => ({ path, match: 'exact' })),
};
const fiveLimits = {
  type: 'execution_metrics',
  max_tool_calls: 9,
  max_llm_calls: 9,
  max_tokens: 9,
  max_cost_usd: 0.1,
  max_duration_ms: 60_000,
};
const others = Array.from({ length: 4 }, () => ({
  type: 'contains',
  value: 'a',
}));

/** By name: the evaluators, and what the case or the run adds. A claim that is broken in part, with a mean of 0.8. */
const CLAIMS: Readonly<Record<string, { evaluators: readonly object[]; fields?: object; passes?: boolean }>> =
  {
    trajectory: { evaluators: [fiveCalls] },
    fields: { evaluators: [fiveFields] },
    limits: { evaluators: [fiveLimits] },
    match: { evaluators: [{ type: 'match' }, ...others] },
    required: { evaluators: [{ ...fiveCalls, required: true }] },
    low_requirement: {
      evaluators: [{ ...fiveCalls, required: 0.8 }],
      passes: true,
    },
    partial: {
      evaluators: [{ ...fiveFields, partial_credit: true }],
      passes: true,
    },
    threshold: {
      evaluators: [fiveLimits],
      fields: { threshold: 0.8 },
      passes: true,
    },
    shown_only: {
      evaluators: [
        { type: 'contains', value: 'a' },
        { ...fiveCalls, weight: 0 },
      ],
      passes: true,
    },
    composite: {
      evaluators: [{ type: 'composite', evaluators: [fiveCalls] }],
      passes: true,
    },
  };

const claimSuite = (change: (evaluator: object) => object = (same) => same): string =>
  JSON.stringify({
    evalcases: Object.entries(CLAIMS).map(([id, { evaluators, fields }]) => ({
      id,
      input: id,
      expected_output: { a: 1, b: 2, c: 3, d: 4, e: 5 },
      evaluators: evaluators.map(change),
      ...fields,
    })),
  });

async function runClaims(files: Readonly<Record<string, string>>, ...options: readonly string[]) {
  const { path, remove } = createProject({
    'agent.mjs': `export const agent = () => (${JSON.stringify(FOUR_RIGHT)});\n`,
    ...files,
  });
  try {
    const args = ['run', '.', '--agent', './agent.mjs', '--reporter', 'json', ...options];
    const { stdout } = await runCli(args, { cwd: path });
    const { results, findings } = JSON.parse(stdout) as Output;
    const check = await runCli(['check', '.', '--json'], { cwd: path });
    return {
      passed: results.filter(({ verdict }) => verdict === 'passed').map((result) => result.test),
      scores: results.map(({ score }) => score),
      warned: codes(findings),
      checked: codes((JSON.parse(check.stdout) as Output).findings),
    };
  } finally {
    remove();
  }
}

interface Output {
  readonly results: readonly AttemptRecord[];
  readonly findings: readonly {
    readonly code: string;
    readonly path: string;
  }[];
}

const codes = (findings: Output['findings']): readonly string[] =>
  findings.filter(({ code }) => code === 'partial_credit').map(({ path }) => path);

test('a claim in list form passes only in full, unless somebody chose otherwise', async () => {
  const all = Object.keys(CLAIMS);
  const chosen = all.filter((id) => CLAIMS[id]!.passes === true);
  const plain = await runClaims({ 'a.eval.json': claimSuite() });
  expect(plain.passed).toEqual(chosen);
  expect(plain.scores).toEqual(all.map((id) => (id === 'shown_only' ? 1 : 0.8)));
  expect([plain.warned, plain.checked]).toEqual([[], []]);
  const lowered = await runClaims({ 'a.eval.json': claimSuite() }, '--threshold', '0.8');
  expect(lowered.passed).toEqual(all);
  const config = await runClaims({
    'a.eval.json': claimSuite(),
    'assay.config.yaml': 'threshold: 0.8\n',
  });
  expect(config.passed).toEqual(all);
});

test("in AgentV's own files the mean decides, with a warning that names the evaluator", async () => {
  const all = Object.keys(CLAIMS);
  const names = ['tool_trajectory', 'field_accuracy', 'execution_metrics', 'match', 'tool_trajectory'];
  const project = await runClaims({
    'a.eval.json': claimSuite(),
    '.agentv/targets.yaml': 'targets: []\n',
  });
  expect(project).toMatchObject({ passed: all, warned: names, checked: names });
  const spelled = claimSuite((evaluator) =>
    JSON.parse(JSON.stringify(evaluator).replaceAll('tool_trajectory', 'tool-trajectory')),
  );
  expect(await runClaims({ 'a.eval.json': spelled })).toMatchObject({
    passed: all,
    warned: names,
  });
  const lines = (JSON.parse(spelled) as { evalcases: readonly object[] }).evalcases.map((line) =>
    JSON.stringify(line),
  );
  // In a dataset, each line is its own file.
  const dataset = await runClaims({ 'dataset.jsonl': `${lines.join('\n')}\n` });
  expect(dataset.passed).toEqual(all.filter((id) => !['fields', 'limits', 'match'].includes(id)));
});
