import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProject, runCli, type Project } from '../project.ts';
import { listen } from '../servers/listen.ts';

let project: Project | undefined;
let server: Server;
let url: string;
beforeEach(async () => {
  server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const path = (request.url ?? '').split('?', 1)[0]!;
      const found = ANSWERS[path];
      const [status, body] = found === undefined ? [404, {}] : [found.status ?? 200, found.body];
      response.writeHead(status, { 'content-type': found?.type ?? 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  url = await listen(server);
});
afterEach(() => {
  project?.remove();
  server.close();
  server.closeAllConnections();
});

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body: unknown;
}

const CHAT = {
  id: 'c',
  object: 'chat.completion',
  model: 'gpt-4o-mini',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
};
const VECTOR = { object: 'embedding', index: 0, embedding: [0.1, 0.2] };
const ANSWERS: Readonly<Record<string, Answer>> = {
  '/v1/chat/completions': { body: CHAT },
  '/v1/embeddings': {
    body: { object: 'list', data: [VECTOR], model: 'm', usage: { prompt_tokens: 1000, total_tokens: 1000 } },
  },
  '/refused/v1/embeddings': { status: 429, body: { error: { message: 'slow down' } } },
  '/v2/embed': { body: { embeddings: { float: [[0.1]] }, meta: { billed_units: { input_tokens: 7 } } } },
  '/api/embed': { body: { model: 'nomic', embeddings: [[0.1]], prompt_eval_count: 5 } },
  '/v1beta/models/gemini-embedding-001:embedContent': { body: { embedding: { values: [0.1] } } },
  '/v1/projects/p/models/text-embedding-005:predict': {
    body: {
      predictions: [1, 2].map((token_count) => ({ embeddings: { values: [], statistics: { token_count } } })),
    },
  },
  '/model/amazon.titan-embed-text-v2%3A0/invoke': { body: { embedding: [0.1], inputTextTokenCount: 9 } },
  '/v1/images/generations': {
    body: {
      created: 1,
      data: [{ b64_json: 'x' }],
      usage: { input_tokens: 4, output_tokens: 272, total_tokens: 276 },
    },
  },
  '/stream/v1/images/generations': {
    type: 'text/event-stream',
    body: `event: image_generation.completed\ndata: ${JSON.stringify({
      type: 'image_generation.completed',
      usage: { input_tokens: 3, output_tokens: 100 },
    })}\n\n`,
  },
};

const SUITE =
  'input: x\nassert:\n  - { type: contains, value: hi }\n  - { type: token_usage, max_total: 12 }\n  - { type: tool_trajectory, mode: exact, expected: [] }\n  - { type: execution_metrics, max_llm_calls: 1 }\n';

const POST = `const post = (path, body) => fetch(process.env.SERVER + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).then((r) => r.text());
`;

async function run(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  project = createProject({ 'a.test.yaml': SUITE, ...files });
  const env = { SERVER: url, OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'k' };
  const { stdout, stderr, exitCode } = await runCli(['run', 'a.test.yaml', '--reporter', 'json', ...args], {
    cwd: project.path,
    env,
  });
  const { results, summary } = JSON.parse(stdout) as {
    results: readonly { steps: readonly Record<string, unknown>[] }[];
    summary: Record<string, unknown>;
  };
  return { step: results[0]!.steps[0]!, summary, exitCode, printed: stdout + stderr };
}

test('embeddings and images are counted apart: chat tokens, calls and tools stay what they are', async () => {
  const agent = `${POST}export async function agent() {
  await post('/v1/embeddings', { model: 'text-embedding-3-small', input: 'a' });
  await post('/v1/embeddings?x=1', { model: 'text-embedding-3-small', input: 'b' });
  await post('/refused/v1/embeddings', { model: 'text-embedding-3-small', input: 'b' });
  await post('/v2/embed', { model: 'embed-v4.0', texts: ['a'] });
  await post('/api/embed', { model: 'nomic', input: 'a' });
  await post('/v1beta/models/gemini-embedding-001:embedContent', { content: {} });
  await post('/v1/projects/p/models/text-embedding-005:predict', { instances: [] });
  await post('/model/amazon.titan-embed-text-v2%3A0/invoke', { inputText: 'a' });
  await post('/v1/images/generations', { model: 'gpt-image-1', prompt: 'cat' });
  await post('/stream/v1/images/generations', { model: 'gpt-image-1', prompt: 'cat', stream: true });
  await post('/v1/chat/completions', { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'x' }] });
  return 'hi';
}
`;
  const { step, summary, exitCode, printed } = await run({ 'agent.mjs': agent }, '--agent', './agent.mjs');
  expect(exitCode, printed).toBe(0);
  expect(step).toMatchObject({ token_usage: { input: 10, output: 2 }, model_calls: 1 });
  const expected = [
    {
      kind: 'embedding',
      model: 'text-embedding-3-small',
      calls: 2,
      token_usage: { input: 2000, output: 0 },
      cost_usd: 0.00004,
    },
    { kind: 'embedding', model: 'embed-v4.0', calls: 1, token_usage: { input: 7, output: 0 } },
    { kind: 'embedding', model: 'nomic', calls: 1, token_usage: { input: 5, output: 0 } },
    { kind: 'embedding', model: 'gemini-embedding-001', calls: 1 },
    { kind: 'embedding', model: 'text-embedding-005', calls: 1, token_usage: { input: 3, output: 0 } },
    {
      kind: 'embedding',
      model: 'amazon.titan-embed-text-v2:0',
      calls: 1,
      token_usage: { input: 9, output: 0 },
    },
    { kind: 'image', model: 'gpt-image-1', calls: 2, token_usage: { input: 7, output: 372 } },
  ];
  expect(step['other_calls']).toEqual(expected);
  expect(summary['other_calls']).toEqual(expected);
});

test.each([
  ['node:http', 'http'],
  ['undici', 'undici'],
])('those of %s are seen too', async (_name, client) => {
  const agent = `import http from 'node:http';
const send = (path, body) => new Promise((resolve, reject) => {
  const request = http.request(process.env.SERVER + path, { method: 'POST', headers: { 'content-type': 'application/json' } }, (response) => { response.resume(); response.on('end', resolve); });
  request.on('error', reject);
  request.end(JSON.stringify(body));
});
${POST}
export async function agent() {
  await ${client === 'http' ? 'send' : 'post'}('/v1/embeddings', { model: 'text-embedding-3-small', input: 'a' });
  await send('/v1/chat/completions', { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'x' }] });
  return 'hi';
}
`;
  const { step, exitCode, printed } = await run({ 'agent.mjs': agent }, '--agent', './agent.mjs');
  expect(exitCode, printed).toBe(0);
  expect(step['other_calls']).toMatchObject([{ calls: 1, token_usage: { input: 1000 } }]);
});

test('those of a program pass through the proxy; the terminal says what they used', async () => {
  const program = `const post = (path, body) => fetch(process.env.OPENAI_BASE_URL + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).then((r) => r.text());
await post('/embeddings', { model: 'text-embedding-3-large', input: 'a' });
await post('/chat/completions', { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'x' }] });
console.log('hi');
`;
  const config = 'targets:\n  - { name: default, command: [node, agent.mjs], observe: true }\n';
  const { step, exitCode, printed } = await run({ 'agent.mjs': program, 'assay.config.yaml': config });
  expect(exitCode, printed).toBe(0);
  expect(step['other_calls']).toMatchObject([
    { model: 'text-embedding-3-large', calls: 1, cost_usd: 0.00013 },
  ]);
  const { stdout } = await runCli(['run', 'a.test.yaml'], {
    cwd: project!.path,
    env: { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'k' },
  });
  expect(stdout).toContain('1 embedding call (text-embedding-3-large, 1000 tokens, $0.00013)');
});

test('an agent that only makes vectors has called no model', async () => {
  const agent = `${POST}export async function agent() {
  await post('/v1/embeddings', { model: 'own', input: 'a' });
  return 'hi';
}
`;
  const { step, exitCode } = await run({ 'agent.mjs': agent }, '--agent', './agent.mjs');
  expect(exitCode).toBe(3);
  expect(step['token_usage']).toBeUndefined();
  expect(step['other_calls']).toMatchObject([{ model: 'own', calls: 1 }]);
});

/** `@aws-sdk/client-bedrock-runtime` takes its address from this variable, and signs each request for its host and path. */
test('a program that uses Bedrock beside another API: what was seen is not taken for all of it', async () => {
  const program = `await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'x' }] }) });
console.log('hi');
`;
  const config = 'targets:\n  - { name: default, command: [node, agent.mjs], observe: true }\n';
  const none = 'input: x\nassert:\n  - { type: tool_trajectory, forbidden: [pay] }\n';
  const files = { 'agent.mjs': program, 'assay.config.yaml': config, 'b.test.yaml': none };
  project = createProject(files);
  const env = { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'k' };
  const options = { cwd: project.path, env };
  expect((await runCli(['run'], options)).exitCode).toBe(0);
  const bedrock = { ...env, AWS_ENDPOINT_URL_BEDROCK_RUNTIME: 'http://127.0.0.1:9' };
  const { stdout, exitCode } = await runCli(['run'], { ...options, env: bedrock });
  expect(exitCode).toBe(3);
  expect(stdout).toContain('harmless: [Amazon Bedrock]');
});
