import { readEvidence } from '../../src/evidence/reply/read-evidence.ts';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AgentSetupError } from '../../src/agents/agent-setup-error.ts';
import type { Agent, RawReply } from '../../src/agents/contract.ts';
import { createHttpAgent, type HttpAgentOptions } from '../../src/agents/http-agent.ts';
import { HttpAgentError } from '../../src/agents/http-exchange.ts';
import { parseJson } from '../../src/base/model/parse-json.ts';
import type { JsonObject } from '../../src/base/model/json.ts';
import { freePort } from '../servers/free-port.ts';
import { listen } from '../servers/listen.ts';
import { readBody, sendJson } from '../servers/http-json.ts';
import { isGroupAlive, requestOf } from './contract-suite.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
});

function serve(handler: Handler): Promise<string> {
  const server = createServer(handler);
  servers.push(server);
  return listen(server);
}

const place = { name: 'an endpoint', cwd: '/', env: process.env };

async function sendOnce(
  options: Partial<HttpAgentOptions> & { readonly url: string },
  input = 'hi',
  memory: JsonObject = {},
) {
  const agent = await createHttpAgent({ ...place, ...options });
  try {
    const session = await agent.open({ id: 't', file: 'a.yaml' });
    return await session.send(requestOf(input, memory), new AbortController().signal);
  } finally {
    await agent.close();
  }
}

async function errorOf(
  options: Partial<HttpAgentOptions> & { readonly url: string },
): Promise<HttpAgentError> {
  const error = await sendOnce(options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(HttpAgentError);
  return error as HttpAgentError;
}

describe('an http agent', () => {
  let mirror: string;

  beforeAll(async () => {
    mirror = await serve(async (request, response) => {
      const { method, url, headers } = request;
      sendJson(response, { output: '', method, url, headers, body: await readBody(request) });
    });
  });

  const sentBody = async (options: Partial<HttpAgentOptions>, input = 'hi', memory: JsonObject = {}) => {
    const { reply } = await sendOnce({ url: mirror, ...options }, input, memory);
    return (reply as { body: string }).body;
  };

  test('posts the request', async () => {
    const { reply } = await sendOnce({ url: `${mirror}/x?y=1` });
    expect(reply).toMatchObject({
      method: 'POST',
      url: '/x?y=1',
      headers: { 'content-type': 'application/json' },
    });
    expect((reply as { body: string }).body).toBe(JSON.stringify(requestOf('hi', {})));
  });

  test('uses the given method and headers', async () => {
    const { reply } = await sendOnce({
      url: mirror,
      method: 'put',
      headers: { 'Content-Type': 'application/x-mine', 'x-key': 'k' },
    });
    expect(reply).toMatchObject({
      method: 'PUT',
      headers: { 'content-type': 'application/x-mine', 'x-key': 'k' },
    });
  });

  test('fills the body template', async () => {
    const body = {
      text: '{{input}}',
      state: '{{ memory }}',
      count: '{{memory.n}}',
      mixed: 'in {{test.id}} step {{step}}: {{input}} {{memory}}',
      last: '{{input_messages[-1].content}}',
      none: '{{memory.nothing}}',
      list: [1, null, '{{attempt}}', 'plain {braces}'],
    };
    const memory = { n: 12345678901234567890n, evil: '{{input}}' };
    expect(parseJson(await sentBody({ body }, 'say "{{memory}}"', memory))).toEqual({
      text: 'say "{{memory}}"',
      state: memory,
      count: 12345678901234567890n,
      mixed: 'in a test step 1: say "{{memory}}" {"n":12345678901234567890,"evil":"{{input}}"}',
      last: 'say "{{memory}}"',
      none: null,
      list: [1, null, 1, 'plain {braces}'],
    });
  });

  test('reads the reply out of the response by a mapping', async () => {
    const url = await serve((_, response) =>
      sendJson(response, {
        choices: [
          {
            message: {
              content: 'hello',
              tool_calls: [{ function: { name: 'a' } }, { function: { name: 'b' } }],
            },
          },
        ],
        usage: { in: 1, out: 2 },
        'odd.key': { state: true },
      }),
    );
    const reply = {
      output: 'choices[0].message.content',
      tools_used: '$.choices[-1].message.tool_calls[*].function.name',
      memory: '["odd.key"]',
      cost_usd: 'no.such[3].place',
    };
    expect((await sendOnce({ url, reply })).reply).toEqual({
      output: 'hello',
      tools_used: ['a', 'b'],
      memory: { state: true },
    });
    await expect(sendOnce({ url, reply: { output: 'choices[5].text' } })).rejects.toMatchObject({
      kind: 'contract',
      message:
        'the response has nothing at choices[5].text, where `output` should be: it has choices, usage, odd.key',
    });
  });

  test('a mapping that finds no tools leaves them unknown, which differs from none', async () => {
    const find = async (body: unknown, tools_used: string) => {
      const url = await serve((_, response) => sendJson(response, body));
      return (await sendOnce({ url, reply: { output: 'text', tools_used } })).reply;
    };
    const text = 'x';
    expect(await find({ text, calls: [] }, 'calls[*].name')).toEqual({ output: 'x', tools_used: [] });
    const parts = [{ type: 'text' }, { type: 'tool_use', name: 'rm' }];
    expect(await find({ text, parts }, 'parts[*].name')).toEqual({ output: 'x', tools_used: ['rm'] });
    for (const calls of [
      [{ tool: 'rm' }],
      [{ name: 'a' }, { tool: 'rm' }],
      [{ function: { name: 'rm' } }],
      'rm',
      3,
    ])
      expect(await find({ text, calls }, 'calls[*].name')).toEqual({ output: 'x' });
    expect(await find({ text }, 'calls')).toEqual({ output: 'x' });
  });

  test('a mapping that finds no calls does not hide those that the response has elsewhere', async () => {
    const gapOf = async (body: unknown, reply: Readonly<Record<string, string>>) => {
      const url = await serve((_, response) => sendJson(response, body));
      const read = readEvidence(await sendOnce({ url, reply: { output: 'text', ...reply } }), { input: 'x' });
      return 'reply' in read ? read.reply.trace_gap?.kind : read;
    };
    const call = { role: 'assistant', tool_calls: [{ id: '1', function: { name: 'rm', arguments: '{}' } }] };
    const text = 'x';
    const tools = { tools_used: 'tools' };
    expect(await gapOf({ text, tools: [], messages: [call] }, tools)).toBe('unreadable');
    expect(
      await gapOf({ text, tools: [], run: { steps: [{ toolCalls: [{ toolName: 'rm' }] }] } }, tools),
    ).toBe('unreadable');
    expect(await gapOf({ text, tools: [], tool_calls: [{ name: 'rm' }] }, tools)).toBe('unreadable');
    const said = { output_messages: 'said' };
    const answer = { role: 'assistant', content: 'x' };
    expect(await gapOf({ text, said: [answer], trace: [{ tool: 'rm' }] }, said)).toBe('unreadable');
    // Of an earlier step, of the same name, and none at all.
    const asked = { role: 'user', content: 'x' };
    expect(await gapOf({ text, tools: [], messages: [asked, call, asked, answer] }, tools)).toBeUndefined();
    expect(await gapOf({ text, tools: ['rm'], messages: [call] }, tools)).toBeUndefined();
    expect(await gapOf({ text, tools: [], messages: [answer] }, tools)).toBeUndefined();
  });

  const HINT = 'set where the answer is with `reply: { output: path.to.it }` in the target';
  test.each<[number, string, string, string]>([
    [200, 'application/json', '{}', 'the response is an empty object'],
    [
      200,
      'application/json',
      '{"error":{"message":"no"}}',
      'the response contains only an error: {"error":{',
    ],
    [200, 'application/json', '{"answer":"x"}', 'only `answer` (did you mean `output` by `answer`?)'],
    [
      200,
      'text/plain',
      '{"data":{"output":"x"}}',
      'has no `output`, `text` or `output_messages`, only `data`',
    ],
    [200, 'application/json', '[{"output":"x"}]', 'the response is a list'],
    [200, 'application/json', 'null', 'the response is null'],
    [200, 'text/html', '<p>Sorry</p>', 'the response is an HTML page ("Sorry")'],
    [200, 'text/plain', '\n<!DOCTYPE html><html>', 'the response is an HTML page, not a reply'],
    [
      200,
      'application/json',
      '<html><title>Sign in</title></html>',
      'the response is an HTML page ("Sign in"), not JSON',
    ],
    [200, 'text/event-stream', 'data: {"text":"x"}\n\n', 'the response is a stream of events'],
    [200, 'application/x-ndjson', '{"output":"x"}\n{"output":"y"}', 'the response is application/x-ndjson'],
    [200, 'image/png', 'PNG', 'the response is image/png'],
    [200, 'text/plain', '', 'the response is empty (status 200)'],
    [
      200,
      'text/plain',
      'Oops\n{"error":"boom"}\n',
      'what the agent sent contains only an error: {"error":"boom"}',
    ],
    [200, 'text/plain', 'log\n{"output":"x","tools_', 'what the agent sent ends in the middle'],
    [200, 'text/plain', '[{"output":"x"},', 'what the agent sent ends in the middle'],
    [200, 'text/plain', '{"output":"a"}\n{"output":"b"}', 'what the agent sent contains 2 reply objects'],
    [200, 'text/markdown', "log\n{'output': 'x'}", 'what the agent sent starts like a reply'],
    [200, 'application/json', ' ', 'the response is empty (status 200)'],
    [202, 'application/json', '{"output":"x"}', 'the response is 202 Accepted'],
    [204, 'text/plain', '', 'the response is empty (status 204)'],
    [206, 'text/plain', 'x', 'the response is 206 Partial Content'],
  ])('%d %s %j is not an answer', async (status, type, body, problem) => {
    const url = await serve((_, response) => response.writeHead(status, { 'content-type': type }).end(body));
    const error = await sendOnce({ url }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'AgentError', kind: 'contract' });
    expect((error as Error).message).toContain(problem);
    expect((error as Error).message).toContain(HINT);
  });

  test.each([
    ['{"output":"x","tools_', 'ends in the middle of a JSON object'],
    ['{"output": NaN}', 'starts like a reply, but is not valid JSON'],
  ])('an incomplete reply does not count as text: %s', async (body, problem) => {
    const url = await serve((_, response) => response.end(body));
    await expect(sendOnce({ url })).rejects.toMatchObject({
      kind: 'contract',
      message: expect.stringContaining(problem) as unknown,
    });
  });

  test.each([
    [201, 'text/plain', 'created'],
    [200, 'text/markdown', '# {a}'],
    [200, 'application/json', '"x"'],
    [200, 'application/octet-stream', '{"output":"x"}'],
  ])('%d %s %j is an answer', async (status, type, body) => {
    const url = await serve((_, response) => response.writeHead(status, { 'content-type': type }).end(body));
    const wanted = body.startsWith('{') || body.startsWith('"') ? (JSON.parse(body) as unknown) : body;
    expect((await sendOnce({ url })).reply).toEqual(wanted);
  });

  test("a reply between other lines is found, as in a program's output", async () => {
    const url = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end('ready\n{"output":"x"}\n'),
    );
    expect(await sendOnce({ url })).toMatchObject({
      reply: { output: 'x' },
      printed: 'ready\n',
      warning: { code: 'mixed_output', message: 'the agent sent 1 line before its reply' },
    });
    const prose = await serve((_, response) => response.end('a\n'));
    expect(await sendOnce({ url: prose })).toEqual({ reply: 'a\n', printed: '' });
  });

  test('an error next to a mapped reply is a warning', async () => {
    const url = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":"x","error":{"code":5}}'),
    );
    expect(await sendOnce({ url, reply: { output: 'a' } })).toMatchObject({
      reply: { output: 'x' },
      warning: {
        code: 'error_in_reply',
        message: expect.stringContaining('`error` is {"code":5}') as unknown,
      },
    });
  });

  test('JSON without a JSON content type is read too', async () => {
    const url = await serve((_, response) => response.end('{"output": "x"}'));
    expect((await sendOnce({ url })).reply).toEqual({ output: 'x' });
  });

  test('tells errors of the server from those of the request, and reads Retry-After', async () => {
    const url = await serve(({ url: path = '' }, response) => {
      const status = Number(path.slice(1));
      response
        .writeHead(status, {
          'retry-after': status === 429 ? '7' : new Date(Date.now() + 60_000).toUTCString(),
        })
        .end('x'.repeat(2000));
    });
    expect(await errorOf({ url: `${url}/429` })).toMatchObject({
      kind: 'infrastructure',
      status: 429,
      retryAfterMs: 7000,
    });
    const unavailable = await errorOf({ url: `${url}/503` });
    expect(unavailable).toMatchObject({ kind: 'infrastructure', status: 503 });
    expect(unavailable.retryAfterMs).toBeGreaterThan(50_000);
    const notFound = await errorOf({ url: `${url}/404` });
    expect(notFound).toMatchObject({ kind: 'agent', status: 404 });
    expect(notFound.message.length).toBeLessThan(700);
  });

  test.each<[string, (socket: Socket) => void, string]>([
    [
      'closes',
      (socket) => socket.once('data', () => socket.end()),
      'accepted the connection and closed it without an answer',
    ],
    [
      'resets',
      (socket) => socket.once('data', () => socket.resetAndDestroy()),
      'reset the connection before it answered',
    ],
    [
      'answers by half',
      (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"out')),
      'closed the connection in the middle of its answer',
    ],
    [
      'speaks another protocol',
      (socket) => socket.once('data', () => socket.end('+OK\r\n')),
      'did not answer in HTTP',
    ],
  ])('a server that %s is described as such', async (_what, onConnection, problem) => {
    const server = createTcpServer(onConnection);
    const url = await listen(server as Server);
    const error = await errorOf({ url });
    server.close();
    expect(error.kind).toBe('infrastructure');
    expect(error.message).toContain(problem);
    expect(error.message).not.toContain('cannot be reached');
  });

  test('a host that does not exist and a port without TLS are described as such', async () => {
    expect((await errorOf({ url: 'http://no-such-host.invalid/' })).message).toContain(
      'the host "no-such-host.invalid" was not found',
    );
    const url = (await serve((_, response) => response.end('x'))).replace('http:', 'https:');
    expect((await errorOf({ url })).message).toMatch(/does not speak TLS\n.*write http:/);
  });

  test.each([
    [
      404,
      'text/html',
      '<html><title>Not here</title><body>x</body></html>',
      ': an HTML page ("Not here")\ncheck the path in `url` of the target',
    ],
    [
      401,
      'application/json',
      '{\n  "detail": "no key"\n}',
      ': { "detail": "no key" }\ncheck the key or token in `headers` of the target',
    ],
    [418, 'text/plain', 'first line\nsecond line', ': first line'],
  ])('the status %d shows the start of its body, and what to check', async (status, type, body, end) => {
    const url = await serve((_, response) => response.writeHead(status, { 'content-type': type }).end(body));
    const { message } = await errorOf({ url });
    expect(message.slice(message.indexOf(': ', message.indexOf('answered')))).toBe(end);
  });

  test('a refused connection is an infrastructure error', async () => {
    const error = await errorOf({ url: 'http://127.0.0.1:2' });
    expect(error).toMatchObject({ kind: 'infrastructure', status: undefined });
    expect(error.message).toMatch(/refused the connection: nothing listens there\nis the server running/);
  });

  test.for([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('reads a response encoded as %s', async ([encoding, encode]) => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding });
      response.end(encode(JSON.stringify({ output: 'grüße' })));
    });
    expect((await sendOnce({ url })).reply).toEqual({ output: 'grüße' });
  });

  test('a small response that decompresses to a large one is cut off', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50 * 1024 * 1024)));
    });
    await expect(sendOnce({ url })).rejects.toMatchObject({ kind: 'limit' });
  });

  test('reuses its connection; if it breaks, the request is not silently repeated, and the next call opens another', async () => {
    const ports: (number | undefined)[] = [];
    const url = await serve((request, response) => {
      ports.push(request.socket.remotePort);
      if (ports.length === 3) return request.socket.destroy();
      return sendJson(response, { output: `${ports.length}` });
    });
    const agent = await createHttpAgent({ name: 'http', url, cwd: '.', env: process.env });
    const session = await agent.open({ id: 't', file: 'f' });
    const askOnce = async () => (await session.send(requestOf('hello', {}), AbortSignal.timeout(5000))).reply;
    expect([await askOnce(), await askOnce()]).toEqual([{ output: '1' }, { output: '2' }]);
    await expect(askOnce()).rejects.toMatchObject({ kind: 'infrastructure' });
    expect(await askOnce()).toEqual({ output: '4' });
    await agent.close();
    expect(ports[1]).toBe(ports[0]);
    expect(ports[3]).not.toBe(ports[0]);
  });

  test('follows redirects only within the same origin', async () => {
    const elsewhere = await serve((request, response) =>
      sendJson(response, { output: String(request.headers['x-key']) }),
    );
    const url = await serve(async (request, response) => {
      if (request.url === '/moved') return response.writeHead(307, { location: '/here' }).end();
      if (request.url === '/away') return response.writeHead(302, { location: elsewhere }).end();
      if (request.url === '/round') return response.writeHead(308, { location: '/round' }).end();
      return sendJson(response, { output: `${request.method} ${(await readBody(request)).length > 10}` });
    });
    expect((await sendOnce({ url: `${url}/moved` })).reply).toEqual({ output: 'POST true' });
    expect((await errorOf({ url: `${url}/away`, headers: { 'x-key': 'secret' } })).message).toContain(
      `redirects to ${elsewhere}, but Assay does not follow redirects`,
    );
    expect((await errorOf({ url: `${url}/round` })).message).toContain('redirects more than 5 times');
  });

  test.each<[Partial<HttpAgentOptions>, string]>([
    [{ url: 'nonsense' }, 'an endpoint: "nonsense" is not a URL'],
    [{ url: 'ftp://x' }, 'an endpoint: ftp://x is not the address of an HTTP server'],
    [
      { body: { a: ['{{inptu}}'] } },
      'an endpoint: `body` has an unknown variable {{inptu}}: did you mean {{input}}?',
    ],
    [
      { body: { a: ['{{prompt}}'] } },
      '{{prompt}}: use one of {{input}}, {{input_messages}}, {{messages}}, {{conversation_id}}, {{memory}}, {{settings}}',
    ],
    [
      { reply: { outptu: 'a' } },
      'an endpoint: `reply` has an unknown field `outptu`: did you mean `output`?',
    ],
    [{ reply: { output: 'a..b' } }, 'an endpoint: `reply.output` is not a path: a..b'],
    [{ reply: { memory: 'a' } }, 'an endpoint: `reply` does not say where the output is'],
    [{ headers: { 'bad header': 'x' } }, 'an endpoint: the headers cannot be sent'],
  ])('%o is a setup error', async (options, message) => {
    const error = await sendOnce({ url: mirror, ...options }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AgentSetupError);
    expect((error as Error).message).toContain(message);
  });
});

const SERVER = `
import http from 'node:http';
import fs from 'node:fs';
import { spawn } from 'node:child_process';
const [port, mode] = process.argv.slice(2);
fs.writeFileSync('pid', String(process.pid));
console.log('starting');
if (mode === 'fail') { console.error('no licence'); process.exit(5); }
spawn('sleep', ['60'], { stdio: 'inherit' });
let isReady = false;
setTimeout(() => { isReady = true; }, 200);
http.createServer((request, response) => {
  if (request.url === '/health') return response.writeHead(isReady ? 200 : 503).end();
  if (request.url === '/die') { console.error('out of memory'); process.exit(9); }
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ output: String(isReady) }));
}).listen(Number(port), '127.0.0.1');
`;

describe('an http agent with a server of its own', () => {
  let folder: string;
  let port: number;
  let agent: Agent | undefined;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-http-'));
    writeFileSync(join(folder, 'server.mjs'), SERVER);
  });
  afterEach(async () => {
    await agent?.close();
    agent = undefined;
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function start(options: Partial<HttpAgentOptions> = {}, mode = 'well'): Promise<Agent> {
    port = await freePort();
    const url = `http://127.0.0.1:${port}/agent`;
    agent = await createHttpAgent({
      ...place,
      cwd: folder,
      url,
      start: ['node', 'server.mjs', String(port), mode],
      ...options,
    });
    return agent;
  }
  const pid = () => Number(readFileSync(join(folder, 'pid'), 'utf8'));

  test('waits until it accepts connections, and stops it', async () => {
    const started = await start();
    expect((await ask(started)).reply).toMatchObject({ output: expect.any(String) as unknown });
    await started.close();
    expect(isGroupAlive(pid())).toBe(false);
    await expect(ask(started)).rejects.toMatchObject({ kind: 'infrastructure' });
  });

  test('waits for its health check', async () => {
    expect((await ask(await start({ healthcheck: '/health' }))).reply).toEqual({ output: 'true' });
  });

  test('reports how it failed to start', async () => {
    await expect(start({}, 'fail')).rejects.toThrow(
      /an endpoint: the server "node server.mjs \d+ fail" exited with code 5:\nstarting\nno licence/,
    );
    await expect(start({ start: ['./no-such'] })).rejects.toThrow(
      'an endpoint: the server cannot be started: "./no-such" does not exist',
    );
  });

  test('does not mistake another server for its own', async () => {
    const url = await serve((_, response) => response.end('I was here before'));
    await expect(start({ url })).rejects.toThrow(/another server already answers at 127\.0\.0\.1:\d+/);
  });

  test('reports that it has died', async () => {
    const started = await start();
    await fetch(`http://127.0.0.1:${port}/die`).catch(() => {});
    await expect
      .poll(() => ask(started).catch((error: Error) => error.message))
      .toMatch(/exited with code 9:\nstarting\nout of memory/);
  });
});

async function ask(agent: Agent): Promise<RawReply> {
  const session = await agent.open({ id: 't', file: 'a.yaml' });
  return session.send(requestOf('', {}), new AbortController().signal);
}
