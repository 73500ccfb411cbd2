import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

/** A model that asks for a tool. Each call takes 1,000,000 tokens in (2 USD) and none out. `busy` is refused. */
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => (body += text));
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    if (body.includes('busy now')) return response.writeHead(429).end('{"error":{"message":"busy"}}');
    const calls = [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }];
    const message = { role: 'assistant', content: null, tool_calls: calls };
    return response.end(
      JSON.stringify({
        object: 'chat.completion',
        model: 'priced',
        choices: [{ index: 0, finish_reason: 'tool_calls', message }],
        usage: { prompt_tokens: 1_000_000, completion_tokens: 0, total_tokens: 1_000_000 },
      }),
    );
  });
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());

const agent = () => `
const tries = {};
export async function agent(input, memory, { signal }) {
  const ask = async (content) => {
    const response = await fetch('http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions', {
      method: 'POST', body: JSON.stringify({ model: 'priced', messages: [{ role: 'user', content }] }), signal,
    });
    const reply = await response.json();
    if (!response.ok) throw Object.assign(new Error(reply.error.message), { status: response.status });
  };
  await ask(input);
  if (input === 'throw') throw new Error('boom');
  if (input === 'hang') await new Promise((resolve) => setTimeout(resolve, 60_000).unref());
  if (input === 'nonsense') return { output: 7 };
  if (input === 'once' && !tries[input]++) { tries[input] = 1; await ask('busy now'); }
  return 'done';
}`;

async function run(inputs: readonly string[], ...args: string[]) {
  const project = createProject({
    'agent.mjs': agent(),
    'assay.config.yaml': JSON.stringify({
      agent: './agent.mjs',
      prices: { priced: { input: 2, output: 8 } },
    }),
    'a.test.json': JSON.stringify(
      inputs.map((input) => ({ id: input, steps: [{ input, assert: { 'output.equals': 'done' } }] })),
    ),
  });
  try {
    const asked = ['run', '--reporter', 'json', '--no-record', ...args];
    const { stdout } = await runCli(asked, { cwd: project.path });
    return JSON.parse(stdout);
  } finally {
    project.remove();
  }
}

test('a step that failed after a model call shows its usage and tool calls', async () => {
  const { results, summary } = await run(['throw', 'hang', 'nonsense', 'fine'], '--timeout', '3s');
  expect(results.map(({ error }: { error?: { kind: string } }) => error?.kind)).toEqual([
    'agent',
    'timeout',
    'contract',
    undefined,
  ]);
  for (const result of results) {
    expect(result, result.test).toMatchObject({ token_usage: { input: 1_000_000, output: 0 }, cost_usd: 2 });
    const [step] = result.steps;
    expect(step).toMatchObject({ cost_usd: 2, model_calls: 1, tools_used: ['look'] });
    expect(step.timeline).toEqual([
      {
        kind: 'model',
        name: 'priced',
        start_ms: expect.any(Number),
        duration_ms: expect.any(Number),
        time_to_first_token_ms: expect.any(Number),
        token_usage: { input: 1_000_000, output: 0 },
        cost_usd: 2,
        sent: expect.any(Object),
      },
      { kind: 'tool', name: 'look', start_ms: expect.any(Number) },
    ]);
    const [call] = step.timeline;
    expect(call.start_ms + call.duration_ms).toBeLessThanOrEqual(step.duration_ms);
  }
  expect(summary).toMatchObject({ cost_usd: 8, token_usage: { input: 4_000_000, output: 0 } });
});

test('a failed step counts for --max-cost', async () => {
  const { results, summary } = await run(['throw', 'fine', 'late'], '--max-cost', '3');
  expect(results).toHaveLength(2);
  expect(summary).toMatchObject({ cost_usd: 4, not_started: 1 });
});

test('a retried attempt counts for --max-cost too', async () => {
  const { results, summary } = await run(['once', 'fine', 'late'], '--max-cost', '5');
  expect(results[0]).toMatchObject({ verdict: 'passed', retries: 1, cost_usd: 2, retries_cost_usd: 2 });
  expect(results[0]).toMatchObject({ retries_token_usage: { input: 1_000_000, output: 0 } });
  expect(summary).toMatchObject({ cost_usd: 6, token_usage: { input: 3_000_000 }, not_started: 1 });
});
