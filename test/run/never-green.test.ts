import { expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/model/record.ts';
import { createProject, runCli } from '../project.ts';

const good = Array.from({ length: 9 }, (_, index) => ({ tool: `step_${index}`, input: { index } }));
const contains = { type: 'contains', value: 'done' };
const trajectory = (fields: object): object => ({ type: 'tool_trajectory', ...fields });
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
const manyCalls = { mode: 'in_order', expected: good.map(({ tool }) => ({ tool })) };
const many = Array.from({ length: 9 }, () => contains);
const paid = trajectory({ mode: 'exact', expected: [{ tool: 'pay', args: { n: 1 } }] });

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
  max_calls: { reply: DILUTED, evaluators: [trajectory({ ...manyCalls, max_calls: 10 })], verdict: 'failed' },
  minimums: {
    reply: DILUTED,
    evaluators: [trajectory({ ...manyCalls, minimums: { pay: 3 } })],
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
    evaluators: [{ type: 'composite', evaluators: [...many, trajectory({ forbidden: ['pay'] })] }],
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
      trajectory({ mode: 'any_order', expected: [{ tool: 'pay', args: { n: 1 } }], forbidden: ['rm'] }),
    ],
    verdict: 'failed',
  },
  names_only: { reply: { tools_used: ['pay'] }, evaluators: [paid], verdict: 'error' },
  no_input: { reply: { tool_calls: [{ tool: 'pay' }] }, evaluators: [paid], verdict: 'error' },
  known: { reply: { tool_calls: [pay(1)] }, evaluators: [paid], verdict: 'passed' },
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
    reply: { tool_calls: [pay(1), good[0]], output_messages: [message(good[0]!), message(pay(1))] },
    evaluators: [trajectory({ mode: 'exact', expected: [{ tool: 'pay' }, { tool: 'step_0' }] })],
    verdict: 'error',
  },
};

test('nothing passes without evidence or despite something forbidden', async () => {
  const evalcases = Object.entries(CASES).map(([id, { evaluators }]) => ({ id, input: id, evaluators }));
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
    const { results } = JSON.parse(stdout) as { results: readonly AttemptRecord[] };
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
