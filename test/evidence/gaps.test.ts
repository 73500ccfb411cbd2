import { createServer as createHttp2 } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';
import { chatCompletion, sendJson, startModelServer, type ModelServer } from './model-server.ts';

let server: ModelServer;
const http2 = createHttp2((_, response) => response.end('{}'));
beforeAll(async () => {
  server = await startModelServer(({ path, body }, response) =>
    sendJson(
      response,
      path.endsWith('/chat/completions')
        ? { ...chatCompletion('done'), model: 'gpt-4.1' }
        : { echo: body ?? null },
    ),
  );
  await new Promise<void>((resolve) => http2.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await server.close();
  http2.close();
});

/** Calls a model that is read, and does something else that the input names. `kept` is a session that outlives its test. */
const AGENT = `
import { execFileSync } from 'node:child_process';
import { get } from 'node:http';
import { connect } from 'node:http2';
import { Worker } from 'node:worker_threads';
import net from 'node:net';
const post = async (path, body) => {
  const response = await fetch(process.env.MODEL + path, { method: 'POST', body: JSON.stringify(body) });
  return response.text();
};
const upgrade = (path) => new Promise((resolve) => {
  const headers = { connection: 'Upgrade', upgrade: 'websocket' };
  get(process.env.MODEL + path, { headers }, (response) => response.on('end', resolve).resume()).on('error', resolve);
});
const ask = (session, path = '/model/m/invoke') => new Promise((resolve, reject) => {
  const request = session.request({ ':method': 'POST', ':path': path });
  request.on('error', reject).on('end', resolve).resume().end('{}');
});
const kept = connect(process.env.HTTP2);
kept.unref();
const work = {
  none: async () => {},
  async http2() { const session = connect(process.env.HTTP2); await ask(session); session.close(); },
  kept: () => ask(kept),
  async socket() {
    const { port } = new URL(process.env.HTTP2);
    const socket = net.connect(Number(port), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    const session = connect(process.env.HTTP2, { createConnection: () => socket });
    await ask(session, '/');
    session.close();
  },
  program: async () => execFileSync('true'),
  thread: () => new Promise((resolve) => new Worker('', { eval: true }).on('exit', resolve)),
  tcp: () => new Promise((resolve) => {
    const { hostname, port } = new URL(process.env.MODEL);
    const socket = net.connect(port, hostname, () => socket.write('GET / HTTP/1.0\\r\\n\\r\\n'));
    socket.on('data', () => socket.end()).on('close', resolve);
  }),
  rest: () => post('/orders/7/ship', { express: true }),
  embeddings: () => post('/v1/embeddings', { model: 'e', input: 'text' }),
  mistral: () => post('/v1/agents/completions', { agent_id: 'a', messages: [{ role: 'user', content: 'Hi' }] }),
  conversations: () => post('/v1/conversations', { agent_id: 'a', inputs: 'Hi' }),
  assistants: () => post('/v1/threads/t1/runs', { assistant_id: 'a' }),
  batches: () => post('/v1/messages/batches', { requests: [] }),
  bedrock: () => post('/agents/A/agentAliases/B/sessions/C/text', { inputText: 'Hi' }),
  tgi: () => post('/generate', { inputs: 'Hi', parameters: { max_new_tokens: 9 } }),
  generate: () => post('/api/generate', { model: 'l', prompt: 'Hi' }),
  completions: () => post('/v1/completions', { model: 'l', prompt: 'Hi' }),
  completion: () => post('/completion', { prompt: 'Hi', n_predict: 9 }),
  live: () => upgrade('/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'),
  responses: () => upgrade('/v1/responses'),
  survey: () => upgrade('/v1/forms/7/responses'),
  webapp: () => post('/api/chat', { model: 'l', messages: [{ role: 'user', parts: [] }] }),
  invoke: () => post('/model/meta.llama3/invoke', { prompt: 'Hi' }),
  ollama: () => post('/api/chat', { model: 'l', messages: [{ role: 'user', content: 'Hi' }], tools: [{}] }),
  mcp: () => post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'delete_all' } }),
  list: () => post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
};
export async function agent(input) {
  await post('/v1/chat/completions', { model: 'gpt-4.1', messages: [{ role: 'user', content: input }] });
  await work[input.split(' ')[0]]();
  return input.endsWith('reported') ? { output: 'done', tools_used: [] } : { output: 'done' };
}`;

async function run(inputs: readonly string[], observe: object | undefined, claim: object) {
  const project = createProject({
    'agent.mjs': AGENT,
    'assay.config.json': JSON.stringify({
      targets: [{ name: 'default', agent: './agent.mjs', ...(observe && { observe }) }],
    }),
    'a.eval.json': JSON.stringify({
      cases: inputs.map((input) => ({ id: input, input, evaluators: [claim] })),
    }),
  });
  const { port } = http2.address() as AddressInfo;
  const { stdout, stderr } = await runCli(['run', '--reporter', 'json', '--no-record', '--workers', '1'], {
    cwd: project.path,
    env: { MODEL: server.url, HTTP2: `http://127.0.0.1:${port}` },
  });
  project.remove();
  if (!stdout.startsWith('{')) throw new Error(stderr);
  const { results } = JSON.parse(stdout);
  return Object.fromEntries(results.map((result: any) => [result.test, result])) as Record<string, any>;
}

const FORBIDDEN = { type: 'tool_trajectory', forbidden: ['delete_all'] };
const HIDDEN = ['socket', 'program', 'thread'];
/** Requests over HTTP/2 are seen. Those that Assay cannot read are named. */
const OVER_HTTP2 = ['http2', 'kept', 'kept again'];
const UNREAD = [
  'assistants',
  'batches',
  'bedrock',
  'tgi',
  'generate',
  'completions',
  'completion',
  'webapp',
  'invoke',
  'mcp',
  'live',
  'responses',
];
/** Calls that are read, of tools that nobody can see, and responses that nobody can read. */
const BROKEN = ['mistral', 'conversations', 'ollama'];
const READ = ['none', 'tcp', 'rest', 'embeddings', 'list', 'survey'];

test('work beside the observed model calls leaves claims about tools open', async () => {
  const open = [...HIDDEN, ...OVER_HTTP2, ...UNREAD, ...BROKEN];
  const results = await run([...open, ...READ], undefined, FORBIDDEN);
  const verdicts = Object.fromEntries(Object.entries(results).map(([id, { verdict }]) => [id, verdict]));
  expect(verdicts).toEqual({
    ...Object.fromEntries(open.map((id) => [id, 'error'])),
    ...Object.fromEntries(READ.map((id) => [id, 'passed'])),
  });
  const { port } = http2.address() as AddressInfo;
  const message = (id: string): string => JSON.stringify(results[id]);
  expect(message('socket')).toContain(`127.0.0.1:${port}: Assay does not see`);
  for (const id of OVER_HTTP2) expect(message(id)).toContain('POST /model/m/invoke');
  expect(message('program')).toContain('harmless: [true]');
  expect(message('mcp')).toContain('the tool delete_all of an MCP server');
});

test('what the agent reports itself stands, and so does what the config declares harmless', async () => {
  const reported = await run(
    [...HIDDEN, ...OVER_HTTP2, ...UNREAD].map((id) => `${id} reported`),
    undefined,
    FORBIDDEN,
  );
  expect(Object.values(reported).map(({ verdict }) => verdict)).toEqual(
    [...HIDDEN, ...OVER_HTTP2, ...UNREAD].map(() => 'passed'),
  );
  const { port } = http2.address() as AddressInfo;
  const harmless = ['true', `127.0.0.1:${port}`];
  const declared = await run(['socket', 'program', 'thread'], { harmless }, FORBIDDEN);
  expect(declared).toMatchObject({
    socket: { verdict: 'passed', steps: [{ harmless: [`127.0.0.1:${port}`] }] },
    program: { verdict: 'passed', steps: [{ harmless: ['true'] }] },
    thread: { verdict: 'error' },
  });
});

test('it leaves claims about tokens and cost open too', async () => {
  // The connection that is opened while the module loads sends its first bytes in the first test.
  const inputs = ['http2', 'none', 'program', 'ollama'];
  for (const claim of [
    { type: 'token_usage', max_total: 1000 },
    { type: 'cost', budget: 1 },
  ]) {
    const results = await run(inputs, undefined, claim);
    expect(inputs.map((id) => [id, results[id].verdict])).toEqual([
      ['http2', 'error'],
      ['none', 'passed'],
      ['program', 'error'],
      ['ollama', 'error'],
    ]);
  }
});

test('a model call while the module is loaded may have been made for any attempt', async () => {
  const results = async (top: string): Promise<string[]> => {
    const project = createProject({
      'agent.mjs': `
        const ask = (content) => fetch(process.env.MODEL + '/v1/chat/completions', {
          method: 'POST', body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
        }).then((response) => response.text());
        ${top}
        export const agent = async (input) => { await ask(input); return { output: 'done' }; };`,
      'a.test.json': JSON.stringify([
        { id: 'tools', steps: ['one', 'two'].map((input) => ({ input, assert: { tools_used: [] } })) },
        { id: 'text', input: 'x', assert: { 'output.includes': 'done' } },
      ]),
    });
    const { stdout } = await runCli(['run', '--agent', './agent.mjs', '--reporter', 'json', '--no-record'], {
      cwd: project.path,
      env: { MODEL: server.url },
    });
    project.remove();
    return JSON.parse(stdout).results.map(({ verdict }: { verdict: string }) => verdict);
  };
  expect(await results('')).toEqual(['passed', 'passed']);
  expect(await results("await ask('warm up');")).toEqual(['error', 'passed']);
});

test('a model call after the reply belongs to its step', async () => {
  const project = createProject({
    'agent.mjs': `
      let goOn;
      let late;
      const ask = (content) => fetch(process.env.MODEL + '/v1/chat/completions', {
        method: 'POST', body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
      }).then((response) => response.text());
      export async function agent(input) {
        await ask(input);
        if (input === 'first') late = new Promise((resolve) => (goOn = resolve)).then(() => ask('late'));
        else { goOn(); await late; }
        return { output: 'done' };
      }`,
    'a.test.json': JSON.stringify([
      { id: 'tools', steps: ['first', 'second'].map((input) => ({ input, assert: { tools_used: [] } })) },
      {
        id: 'text',
        steps: ['first', 'second'].map((input) => ({ input, assert: { 'output.includes': 'done' } })),
      },
    ]),
  });
  const { stdout } = await runCli(['run', '--agent', './agent.mjs', '--reporter', 'json', '--no-record'], {
    cwd: project.path,
    env: { MODEL: server.url },
  });
  project.remove();
  expect(JSON.parse(stdout).results).toMatchObject([
    {
      test: 'tools',
      verdict: 'error',
      error: { kind: 'contract', message: expect.stringContaining('step 1 called a model after its reply') },
    },
    { test: 'text', verdict: 'passed' },
  ]);
});
