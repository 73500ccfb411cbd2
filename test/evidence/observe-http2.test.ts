import { createServer, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toFrame } from '../../src/evidence/amazon-event-stream.ts';
import { createProject, runCli } from '../project.ts';

/** A model of Bedrock over HTTP/2: it calls the tool first, and answers in frames where a stream is wanted. */
let server: Http2Server;
const asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      asked.push(text);
      const isAnswered = text.includes('toolResult');
      const use = { toolUseId: 'u1', name: 'get_weather', input: { city: 'Berlin' } };
      const content = isAnswered ? [{ text: 'It is 15 degrees.' }] : [{ toolUse: use }];
      const stopReason = isAnswered ? 'end_turn' : 'tool_use';
      const usage = { inputTokens: 10, outputTokens: 2, totalTokens: 12 };
      if (!request.url.endsWith('-stream')) {
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({ output: { message: { role: 'assistant', content } }, stopReason, usage }),
        );
        return;
      }
      response.setHeader('content-type', 'application/vnd.amazon.eventstream');
      const block = isAnswered
        ? [
            {
              event: 'contentBlockDelta',
              data: { contentBlockIndex: 0, delta: { text: 'It is 15 degrees.' } },
            },
          ]
        : [
            {
              event: 'contentBlockStart',
              data: { contentBlockIndex: 0, start: { toolUse: { toolUseId: 'u1', name: 'get_weather' } } },
            },
            {
              event: 'contentBlockDelta',
              data: { contentBlockIndex: 0, delta: { toolUse: { input: '{"city":"Berlin"}' } } },
            },
          ];
      const events = [
        { event: 'messageStart', data: { role: 'assistant' } },
        ...block,
        { event: 'messageStop', data: { stopReason } },
        { event: 'metadata', data: { usage } },
      ];
      for (const event of events) response.write(toFrame(event));
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void server.close());

/** As the SDK of AWS does it. */
const AGENT = `
import { connect } from 'node:http2';
const session = connect(process.env.HTTP2);
session.unref();
const send = (path, body) => new Promise((resolve, reject) => {
  session.ref();
  const request = session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/json' });
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk)).on('error', reject);
  request.on('end', () => { session.unref(); resolve(Buffer.concat(chunks)); });
  request.end(JSON.stringify(body));
});
export async function agent(input) {
  const path = '/model/us.example.m-v1%3A0/converse' + (input.includes('stream') ? '-stream' : '');
  const toolConfig = { tools: [{ toolSpec: { name: 'get_weather', inputSchema: { json: {} } } }] };
  const messages = [{ role: 'user', content: [{ text: input }] }];
  await send(path, { messages, toolConfig });
  const toolUse = { toolUseId: 'u1', name: 'get_weather', input: { city: 'Berlin' } };
  messages.push({ role: 'assistant', content: [{ toolUse }] });
  messages.push({ role: 'user', content: [{ toolResult: { toolUseId: 'u1', content: [{ json: { celsius: 15 } }] } }] });
  await send(path, { messages, toolConfig });
  return 'It is 15 degrees.';
}`;

const CALL = {
  type: 'tool_trajectory',
  mode: 'exact',
  expected: [{ tool: 'get_weather', args: { city: 'Berlin' } }],
};

async function run(
  tests: readonly object[],
  ...args: string[]
): Promise<{ readonly results: readonly any[]; readonly text: string }> {
  const project = createProject({ 'agent.mjs': AGENT, 'a.test.json': JSON.stringify(tests) });
  const { port } = server.address() as AddressInfo;
  const command = [
    'run',
    '--agent',
    './agent.mjs',
    '--reporter',
    'json',
    '--no-record',
    '--workers',
    '1',
    ...args,
  ];
  const { stdout, stderr } = await runCli(command, {
    cwd: project.path,
    env: { HTTP2: `http://127.0.0.1:${port}` },
  });
  project.remove();
  if (!stdout.startsWith('{')) throw new Error(stderr);
  return { results: JSON.parse(stdout).results, text: stdout };
}

test('model calls over HTTP/2 are read, whole and in frames', async () => {
  const usage = { type: 'token_usage', max_total: 24 };
  const { results } = await run([
    { id: 'whole', steps: [{ input: 'whole', assert: [CALL, usage] }] },
    { id: 'stream', steps: [{ input: 'stream', assert: [CALL, usage] }] },
    { id: 'wrong', steps: [{ input: 'stream', assert: { tools_used: [] } }] },
    { id: 'too many', steps: [{ input: 'whole', assert: [{ type: 'token_usage', max_total: 23 }] }] },
  ]);
  expect(results.map(({ test: id, verdict }) => [id, verdict])).toEqual([
    ['whole', 'passed'],
    ['stream', 'passed'],
    ['wrong', 'failed'],
    ['too many', 'failed'],
  ]);
  expect(results[1].steps[0].tool_calls[0]).toMatchObject({
    tool: 'get_weather',
    input: { city: 'Berlin' },
    output: { celsius: 15 },
  });
});

test('a call beyond a limit is not sent', async () => {
  const before = asked.filter((text) => text !== '').length;
  const { results } = await run([
    { id: 'one', limits: { model_calls: 1 }, input: 'whole', assert: { tools_used: [] } },
  ]);
  expect(results[0].verdict).toBe('error');
  expect(JSON.stringify(results[0])).toContain('model_calls');
  expect(asked.filter((text) => text !== '').length - before).toBe(1);
});

test('what would have to be answered by Assay is an error that says what to do', async () => {
  const { results } = await run([
    { id: 'fault', faults: [{ on: 'model', call: 1, do: 500 }], input: 'whole', assert: { tools_used: [] } },
  ]);
  expect(results[0].verdict).toBe('error');
  expect(JSON.stringify(results[0])).toContain('requestHandler: new NodeHttpHandler()');
});
