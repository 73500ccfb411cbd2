import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';
import { sendJson, startModelServer, type ModelServer } from './model-server.ts';

/** A model that requests what the question names: `pay(500)` calls a tool, `say: text` answers with it. */
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(({ body }, response) => sendJson(response, completion(body)));
});
afterAll(() => server.close());

function completion({ model, messages }: any): object {
  const question = String(messages.at(-1)?.content ?? '');
  const call = /^(\w+)\((.*)\)$/.exec(question);
  return {
    id: 'x',
    object: 'chat.completion',
    model,
    choices: [
      {
        index: 0,
        finish_reason: call === null ? 'stop' : 'tool_calls',
        message: {
          role: 'assistant',
          content: call === null ? question.replace(/^say: /, '') : null,
          ...(call === null
            ? {}
            : {
                tool_calls: [
                  {
                    id: 'c1',
                    type: 'function',
                    function: { name: call[1], arguments: JSON.stringify({ amount: Number(call[2]) }) },
                  },
                ],
              }),
        },
      },
    ],
    usage: { prompt_tokens: 90, completion_tokens: 10, total_tokens: 100 },
  };
}

/** Asks the model what `ask` holds, and returns what `reply` holds; the whole completion if it is `raw`. */
const AGENT = `
export async function agent(input) {
  const { ask, tools = [], reply, raw } = JSON.parse(input);
  let last;
  for (const content of ask ?? []) {
    const response = await fetch(process.env.MODEL + '/v1/chat/completions', {
      method: 'POST',
      body: JSON.stringify({
        model: 'gpt-4.1',
        messages: [{ role: 'user', content }],
        ...(tools.length > 0 && { tools: tools.map((name) => ({ type: 'function', function: { name } })) }),
      }),
    });
    last = await response.json();
  }
  return raw ? last : reply;
}`;

interface Case {
  readonly ask?: readonly string[];
  readonly tools?: readonly string[];
  readonly reply?: object;
  readonly raw?: boolean;
}

async function verdictsOf(cases: readonly (readonly [Case, object])[], args: readonly string[] = []) {
  const project = createProject({
    'agent.mjs': AGENT,
    'a.eval.json': JSON.stringify({
      cases: cases.map(([asked, check], index) => ({
        id: `c${index}`,
        input: JSON.stringify(asked),
        ...('assert' in check
          ? { steps: [{ input: JSON.stringify(asked), ...check }], input: undefined }
          : { evaluators: [check] }),
      })),
    }),
  });
  const { stdout, stderr } = await runCli(
    ['run', '--agent', './agent.mjs', '--reporter', 'json', '--no-record', ...args],
    { cwd: project.path, env: { MODEL: server.url } },
  );
  project.remove();
  if (!stdout.startsWith('{')) throw new Error(stderr);
  const { results, findings } = JSON.parse(stdout);
  if (results.length === 0) throw new Error(JSON.stringify(findings));
  return results.map(({ verdict }: { verdict: string }) => verdict) as string[];
}

/** Each claim, and how it ends with the one call of `pay` that is known. */
async function expectVerdicts(
  asked: Case,
  claims: readonly (readonly [object, string])[],
  args?: readonly string[],
): Promise<void> {
  const found = await verdictsOf(
    claims.map(([claim]) => [asked, claim]),
    args,
  );
  expect(claims.map(([claim], index) => [claim, found[index]])).toEqual(claims);
}

const claim = (assert: object): object => ({ assert });
const trajectory = (more: object): object => ({ type: 'tool_trajectory', ...more });

test('one response of a model does not show the calls before it', async () => {
  const silent: Case = { ask: ['say: done'], raw: true };
  await expectVerdicts(
    silent,
    [
      [claim({ tools_used: [] }), 'error'],
      [claim({ tools_used: ['pay'] }), 'error'],
      [claim({ 'tools_used.excludes': ['pay'] }), 'error'],
      [claim({ 'tools_used.includes': ['pay'] }), 'error'],
      [trajectory({ mode: 'exact', expected: [] }), 'error'],
      [trajectory({ forbidden: ['pay'] }), 'error'],
      [trajectory({ max_calls: 3 }), 'error'],
      [{ type: 'execution_metrics', max_tool_calls: 0 }, 'error'],
      [{ type: 'execution_metrics', max_llm_calls: 1 }, 'error'],
      [{ type: 'token_usage', max_total: 100 }, 'error'],
      [{ type: 'token_usage', max_total: 99 }, 'failed'],
      [{ type: 'cost', budget: 1 }, 'error'],
      [{ type: 'cost', budget: 0.0000001 }, 'failed'],
      [{ type: 'contains', value: 'done' }, 'passed'],
    ],
    ['--no-observe'],
  );
  await expectVerdicts(
    { ask: ['pay(500)'], raw: true },
    [
      [claim({ tools_used: ['pay'] }), 'error'],
      [claim({ tools_used: ['look', 'pay'] }), 'error'],
      [claim({ tools_used: [] }), 'failed'],
      [claim({ tools_used: ['look'] }), 'failed'],
      [claim({ 'tools_used.includes': ['pay'] }), 'passed'],
      [claim({ 'tools_used.includes': ['look'] }), 'error'],
      [claim({ 'tools_used.excludes': ['pay'] }), 'failed'],
      [claim({ 'tools_used.in_order': ['pay'] }), 'passed'],
      [trajectory({ mode: 'any_order', expected: [{ tool: 'pay', args: { amount: 500 } }] }), 'passed'],
      [trajectory({ mode: 'in_order', expected: [{ tool: 'look' }, { tool: 'pay' }] }), 'error'],
      [trajectory({ mode: 'exact', expected: [{ tool: 'pay' }] }), 'error'],
      [trajectory({ mode: 'exact', expected: [{ tool: 'look' }] }), 'failed'],
      [trajectory({ mode: 'subset', expected: [{ tool: 'pay' }] }), 'error'],
      [trajectory({ minimums: { pay: 1 } }), 'passed'],
      [trajectory({ minimums: { pay: 1 }, forbidden: ['look'] }), 'error'],
      [trajectory({ forbidden: ['pay'] }), 'failed'],
      [trajectory({ max_calls: 0 }), 'failed'],
      [{ type: 'execution_metrics', max_tool_calls: 0 }, 'failed'],
      [{ type: 'execution_metrics', max_tool_calls: 1 }, 'error'],
    ],
    ['--no-observe'],
  );
});

test('nor does the last message of a conversation', async () => {
  const message = { role: 'assistant', content: 'done', refusal: null };
  await expectVerdicts({ reply: message }, [
    [claim({ tools_used: [] }), 'error'],
    [claim({ 'tools_used.includes': ['pay'] }), 'error'],
    [{ type: 'contains', value: 'done' }, 'passed'],
  ]);
});

test('with all of its calls observed, the same response is enough', async () => {
  await expectVerdicts({ ask: ['say: done'], raw: true }, [
    [claim({ tools_used: [] }), 'passed'],
    [{ type: 'token_usage', max_total: 100 }, 'passed'],
    [{ type: 'execution_metrics', max_tool_calls: 0, max_llm_calls: 1 }, 'passed'],
  ]);
});

test.each([
  ['<tool_call>{"name": "pay"}</tool_call>'],
  ['<function_calls><invoke name="pay"></invoke></function_calls>'],
  ['Thought: I must pay.\nAction: pay\nAction Input: {"amount": 500}'],
  ['{"tool": "pay", "args": {"amount": 500}}'],
  ['```tool_code\npay(500)\n```'],
])('a tool call in the text of a response leaves it open what was called: %s', async (text) => {
  await expectVerdicts({ ask: [`say: ${text}`], reply: { output: 'done' } }, [
    [claim({ tools_used: [] }), 'error'],
    [trajectory({ forbidden: ['pay'] }), 'error'],
    [{ type: 'token_usage', max_total: 100 }, 'passed'],
  ]);
  // What the agent reports itself stands, and so does an ordinary text, and a model that got tools.
  await expectVerdicts({ ask: [`say: ${text}`], reply: { output: 'done', tools_used: ['pay'] } }, [
    [claim({ tools_used: ['pay'] }), 'passed'],
  ]);
  await expectVerdicts({ ask: [`say: ${text}`], tools: ['pay'], reply: { output: 'done' } }, [
    [claim({ tools_used: [] }), 'passed'],
  ]);
});

test('a report that contradicts the observed calls leaves the claims open that rest on it', async () => {
  const paid = (report: object): Case => ({
    ask: ['pay(500)'],
    tools: ['pay', 'look'],
    reply: { output: 'done', ...report },
  });
  await expectVerdicts(paid({ tool_calls: [{ tool: 'pay', input: { amount: 5 } }] }), [
    [trajectory({ mode: 'exact', expected: [{ tool: 'pay', args: { amount: 5 } }] }), 'error'],
    [trajectory({ mode: 'exact', expected: [{ tool: 'pay' }] }), 'passed'],
    [claim({ tools_used: ['pay'] }), 'passed'],
    [{ type: 'contains', value: 'done' }, 'passed'],
  ]);
  await expectVerdicts(paid({ tools_used: ['look', 'pay'] }), [
    [claim({ tools_used: ['look', 'pay'] }), 'error'],
    [claim({ 'tools_used.includes': ['look'] }), 'error'],
    [claim({ 'tools_used.includes': ['pay'] }), 'passed'],
  ]);
  // A tool that was never offered is called by the agent's own code.
  await expectVerdicts(paid({ tools_used: ['log', 'pay'] }), [
    [claim({ tools_used: ['log', 'pay'] }), 'passed'],
  ]);
});

test('a report of less than what was observed leaves claims about it open', async () => {
  const used = (report: object): Case => ({
    ask: ['say: done'],
    reply: { output: 'done', tools_used: [], ...report },
  });
  await expectVerdicts(used({ token_usage: { input: 1, output: 1 } }), [
    [{ type: 'token_usage', max_total: 10 }, 'error'],
    [{ type: 'token_usage', max_total: 1 }, 'error'],
    [{ type: 'execution_metrics', max_tokens: 10 }, 'error'],
    [{ type: 'contains', value: 'done' }, 'passed'],
  ]);
  await expectVerdicts(used({ token_usage: { input: 90, output: 10 } }), [
    [{ type: 'token_usage', max_total: 100 }, 'passed'],
  ]);
  await expectVerdicts(used({ cost_usd: 0 }), [
    [{ type: 'cost', budget: 0.1 }, 'error'],
    [{ type: 'execution_metrics', max_cost_usd: 0.1 }, 'error'],
  ]);
  await expectVerdicts(used({ cost_usd: 0.0000001 }), [[{ type: 'cost', budget: 0.1 }, 'passed']]);
});

test('an absent value needs a reply that reports memory', async () => {
  await expectVerdicts({ reply: { output: 'done' } }, [
    [claim({ 'memory.x': { $absent: true } }), 'error'],
    [claim({ 'memory.x': null }), 'passed'],
    [{ type: 'memory', path: 'x', exists: false }, 'error'],
    [{ type: 'memory', path: 'x', equals: { $absent: true } }, 'error'],
  ]);
  await expectVerdicts({ reply: { output: 'done', memory: {} } }, [
    [claim({ 'memory.x': { $absent: true } }), 'passed'],
    [{ type: 'memory', path: 'x', exists: false }, 'passed'],
  ]);
});
