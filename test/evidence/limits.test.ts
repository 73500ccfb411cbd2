import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { createProject, runCli } from '../project.ts';

/** A model that never stops asking for a tool. Each call takes 100 tokens in and 10 out. */
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        object: 'chat.completion',
        model: 'gpt-4.1',
        choices: [
          {
            index: 0,
            finish_reason: 'tool_calls',
            message: {
              role: 'assistant',
              content: null,
              tool_calls: [
                { id: `c${calls++}`, type: 'function', function: { name: 'look', arguments: '{}' } },
              ],
            },
          },
        ],
        usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
      }),
    );
  });
});
let calls = 0;
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());

/** Makes ten model calls, whatever the answers, and gives up on an error. */
const agent = (model: string) => `
export async function agent(input) {
  const messages = [{ role: 'user', content: input }];
  for (let turn = 1; turn <= 10; turn++) {
    const response = await fetch('http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions', {
      method: 'POST', body: JSON.stringify({ model: '${model}', messages }),
    });
    if (!response.ok) return 'refused ' + turn;
    const { choices: [{ message }] } = await response.json();
    messages.push(message, { role: 'tool', tool_call_id: message.tool_calls[0].id, content: 'nothing' });
  }
  return 'done';
}`;

async function run(limits: object, { model = 'gpt-4.1', target = {}, args = [] as string[] } = {}) {
  calls = 0;
  const project = createProject({
    'agent.mjs': agent(model),
    'assay.config.yaml': JSON.stringify({ targets: [{ name: 'default', agent: './agent.mjs', ...target }] }),
    'a.test.json': JSON.stringify([
      { id: 'a', steps: [{ input: 'go', assert: { 'output.includes': 'o' } }], ...limits },
    ]),
  });
  try {
    const { stdout, exitCode } = await runCli(['run', ...args, '--reporter', 'json'], { cwd: project.path });
    const { results, findings } = JSON.parse(stdout) as {
      results: AttemptRecord[];
      findings: { code: string }[];
    };
    return { record: results[0]!, exitCode, calls, codes: findings.map(({ code }) => code) };
  } finally {
    project.remove();
  }
}

test.each([
  [{ model_calls: 3 }, 3, 'the attempt reached its limit of 3 model calls: one more model call was refused'],
  [{ model_calls: 0 }, 0, 'the attempt reached its limit of 0 model calls'],
  [{ tokens: 250 }, 3, 'the attempt reached its limit of 250 tokens'],
  [{ tool_calls: 2 }, 3, 'the attempt reached its limit of 2 tool calls'],
  [{ cost_usd: 0.0005 }, 2, 'the attempt reached its limit of 0.0005 US dollars'],
  [{ tokens: 100_000, model_calls: 1 }, 1, 'the attempt reached its limit of 1 model calls'],
])('%o lets %i model calls through', async (limits, made, message) => {
  const ended = await run({ limits });
  expect(ended.calls).toBe(made);
  expect(ended.exitCode).toBe(3);
  expect(ended.record).toMatchObject({ verdict: 'error', error: { kind: 'limit' } });
  expect(ended.record.error!.message).toContain(message);
});

test('an attempt within its limits is not affected', async () => {
  const ended = await run({ limits: { model_calls: 10, tokens: 1100, tool_calls: 10, cost_usd: 1 } });
  expect(ended).toMatchObject({ calls: 10, exitCode: 0, record: { verdict: 'passed' } });
});

test("a target's limit applies too, and the lower one counts", async () => {
  const target = { limits: { model_calls: 2 } };
  expect(await run({ limits: { model_calls: 5 } }, { target })).toMatchObject({ calls: 2 });
  expect(await run({}, { target })).toMatchObject({ calls: 2, record: { error: { kind: 'limit' } } });
});

test('an unknown cost is never within a limit', async () => {
  const ended = await run({ limits: { cost_usd: 1 } }, { model: 'house-model' });
  expect(ended).toMatchObject({ calls: 1, record: { verdict: 'error', error: { kind: 'limit' } } });
  expect(ended.record.error!.message).toContain('add the model to `prices`');
});

test('for an agent that is not observed, limits apply to what it reports', async () => {
  const reply = (said: object) => `export const agent = () => (${JSON.stringify({ output: 'o', ...said })});`;
  const runReply = async (said: object, args: string[] = []) => {
    const project = createProject({
      'agent.mjs': reply(said),
      'a.test.json': JSON.stringify([
        { steps: [{ input: 'go', assert: { 'output.includes': 'o' } }], limits: { tokens: 10 } },
      ]),
    });
    const { stdout } = await runCli(['run', '--agent', './agent.mjs', ...args, '--reporter', 'json'], {
      cwd: project.path,
    });
    project.remove();
    const { results, findings } = JSON.parse(stdout) as {
      results: AttemptRecord[];
      findings: { code: string }[];
    };
    return {
      verdict: results[0]!.verdict,
      kind: results[0]!.error?.kind,
      codes: findings.map(({ code }) => code),
    };
  };
  expect(await runReply({ token_usage: { input: 9, output: 2 } })).toMatchObject({
    verdict: 'error',
    kind: 'limit',
  });
  expect(await runReply({ token_usage: { input: 8, output: 2 } })).toMatchObject({
    verdict: 'passed',
    codes: [],
  });
  expect(await runReply({})).toEqual({ verdict: 'passed', kind: undefined, codes: ['limits_unseen'] });
  expect(await runReply({}, ['--strict'])).toMatchObject({ verdict: 'error' });
  // Nobody looks: the limit cannot be kept.
  expect(await runReply({}, ['--no-observe'])).toMatchObject({ verdict: 'error', kind: 'limit' });
  expect(await runReply({ token_usage: { input: 8, output: 2 } }, ['--no-observe'])).toMatchObject({
    verdict: 'passed',
  });
});
