import http, { type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BeforeCall, CallDecision } from '../../src/evidence/observe/before-call.ts';
import { modelRoutes, upstreamPath } from '../../src/evidence/observe/model-addresses.ts';
import { Observation } from '../../src/evidence/observe/observation.ts';
import { startProxy, type Proxy, type ProxyPath } from '../../src/evidence/observe/proxy.ts';
import {
  answerChat,
  answerOneByOne,
  chatCompletion,
  chatEvents,
  sendJson,
  startModelServer,
  type Answer,
  type ModelServer,
} from './model-server.ts';

let server: ModelServer;
let proxy: Proxy;
let path: ProxyPath;
let observation: Observation;
let answer: Answer;

const CHAT = { model: 'test-model', messages: [{ role: 'user', content: 'hello' }] };

beforeEach(async () => {
  answer = answerChat;
  server = await startModelServer((asked, response) => answer(asked, response));
  proxy = await startProxy();
  watch();
});

afterEach(async () => {
  await proxy.close();
  await server.close();
});

function watch(beforeCall?: BeforeCall): void {
  path = proxy.open({ OPENAI_BASE_URL: `${server.url}/v1`, ANTHROPIC_BASE_URL: server.url });
  observation = new Observation({ beforeCall });
  path.observe(observation);
}

function post(
  address = `${path.env['OPENAI_BASE_URL']}/chat/completions`,
  init: RequestInit = {},
): Promise<Response> {
  return fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-secret' },
    body: JSON.stringify(CHAT),
    ...init,
  });
}

test('calls go where the variables pointed before, and are kept without their keys', async () => {
  const response = await post();
  expect(await response.json()).toEqual(chatCompletion('You said: hello'));
  await (await post(`${path.env['ANTHROPIC_BASE_URL']}/v1/messages?beta=true&api_key=sk-secret`)).text();
  expect(server.asked.map((asked) => asked.path)).toEqual([
    '/v1/chat/completions',
    '/v1/messages?beta=true&api_key=sk-secret',
  ]);
  expect(server.asked[0]!.headers).toMatchObject({
    authorization: 'Bearer sk-secret',
    host: new URL(server.url).host,
  });
  const seen = observation.take();
  expect(seen.exchanges).toMatchObject([
    {
      seq: 1,
      path: '/v1/chat/completions',
      request: CHAT,
      status: 200,
      response: chatCompletion('You said: hello'),
    },
    { seq: 2, path: '/v1/messages?beta=true' },
  ]);
  expect(JSON.stringify(seen)).not.toContain('sk-secret');
  expect(seen.exchanges.some(({ aborted }) => aborted)).toBe(false);
});

test('other requests pass through, and those for embeddings are counted', async () => {
  answer = (asked, response) => sendJson(response, { got: asked.method });
  const base = path.env['OPENAI_BASE_URL']!;
  expect(await (await post(`${base}/embeddings`)).json()).toEqual({ got: 'POST' });
  expect((await fetch(path.env['ANTHROPIC_BASE_URL']!, { method: 'HEAD' })).status).toBe(200);
  await (await fetch(`${base}/files/a?limit=1`, { method: 'DELETE' })).text();
  expect(observation.take()).toEqual({
    exchanges: [],
    unattributed: 0,
    other_calls: [{ kind: 'embedding', model: 'test-model', calls: 1, token_usage: undefined }],
    unread: [],
    hidden: [],
    harmless: [],
  });
});

test('a stream passes through piece by piece', async () => {
  const events = chatEvents('one two three');
  const stream = answerOneByOne(events);
  answer = stream.answer;
  const pieces: string[] = [];
  const response = await post();
  for await (const chunk of response.body!) {
    pieces.push(Buffer.from(chunk).toString());
    stream.next();
  }
  expect(pieces).toEqual(events);
  expect(observation.take().exchanges).toMatchObject([{ response_text: events.join('') }]);
});

test('a server that is down gives a 502 with the reason; a response that breaks off also breaks off for the client', async () => {
  answer = (_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chatEvents('one')[0], () => response.destroy());
  };
  await expect((await post()).text()).rejects.toThrow('terminated');
  answer = (_asked, response) => void response.destroy();
  expect((await post()).status).toBe(502);
  await server.close();
  const down = await post();
  expect(down.status).toBe(502);
  expect(((await down.json()) as any).error.message).toMatch(/could not reach the model API: .*ECONNREFUSED/);
  expect(observation.take().exchanges.map(({ status, aborted }) => [status, aborted])).toEqual([
    [200, true],
    [0, true],
    [0, true],
  ]);
  server = await startModelServer();
});

test('if the client disconnects, the call to the server ends', async () => {
  let isClosed = false;
  answer = (_asked, response) => {
    response.on('close', () => (isClosed = true));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chatEvents('one')[0]);
  };
  const abort = new AbortController();
  const response = await post(undefined, { signal: abort.signal });
  abort.abort();
  await expect(response.text()).rejects.toThrow();
  await expect.poll(() => isClosed).toBe(true);
  await expect.poll(() => observation.take().exchanges).toMatchObject([{ aborted: true }]);
});

test('50 MB pass through in both directions, with backpressure', async () => {
  const megabyte = Buffer.alloc(1024 * 1024, 'x');
  let written = 0;
  answer = async (_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (; written < 50; written++)
      if (!response.write(megabyte)) await new Promise((resolve) => response.once('drain', resolve));
    response.end();
  };
  const response = await new Promise<IncomingMessage>((resolve) => {
    const request = http.request(
      `${path.env['OPENAI_BASE_URL']}/chat/completions`,
      { method: 'POST' },
      resolve,
    );
    for (let sent = 0; sent < 12; sent++) request.write(megabyte);
    request.end();
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  // Nobody has read anything yet: the sockets hold a few MB, and nobody else holds the rest.
  expect(written).toBeLessThan(40);
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  expect(bytes).toBe(50 * 1024 * 1024);
  expect(server.asked[0]!.text.length).toBe(12 * 1024 * 1024);
  expect(observation.take().exchanges).toMatchObject([{ aborted: true }]);
});

test('paths cannot be guessed and expire; other hosts and names are refused', async () => {
  const other = proxy.open({ OPENAI_BASE_URL: server.url });
  const { port, pathname } = new URL(path.env['OPENAI_BASE_URL']!);
  expect(pathname.split('/')[1]!.length).toBeGreaterThanOrEqual(32);
  expect(other.env['OPENAI_BASE_URL']).not.toContain(pathname.split('/')[1]);
  const status = (target: string, headers: Record<string, string> = {}): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      http
        .request({ port, host: '127.0.0.1', path: target, method: 'POST', headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
        .on('error', reject)
        .end('{}');
    });
  const call = `${pathname}/chat/completions`;
  expect(await status(call)).toBe(200);
  expect(await status('/')).toBe(404);
  expect(await status('/v1/chat/completions')).toBe(404);
  expect(await status(call.replace('openai_base_url', 'aws_base_url'))).toBe(404);
  expect(await status(call, { host: `evil.example:${port}` })).toBe(404);
  expect(await status(call, { host: 'localhost:1' })).toBe(404);
  expect(await status(`http://127.0.0.1:${port}${call}`)).toBe(404);
  path.close();
  expect(await status(call)).toBe(404);
});

test('web sockets are refused so that programs continue without them', async () => {
  const { port, pathname } = new URL(path.env['OPENAI_BASE_URL']!);
  const text = await new Promise<string>((resolve) => {
    let got = '';
    connect(Number(port), '127.0.0.1')
      .on('data', (chunk) => (got += String(chunk)))
      .on('close', () => resolve(got))
      .write(
        `GET ${pathname}/responses HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n`,
      );
  });
  expect(text).toMatch(/^HTTP\/1\.1 426 /);
});

test('a call can be refused or answered instead', async () => {
  let calls = 0;
  const refused: string[] = [];
  const answered: CallDecision = {
    do: 'answer',
    answer: {
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: [Buffer.from('data: x\n\n')],
    },
  };
  const made: number[] = [];
  watch((_call, before) => {
    calls++;
    made.push(before.length);
    if (calls === 1) return { do: 'forward' };
    return calls === 2 ? answered : { do: 'refuse', kind: 'limit', message: 'more than 2 model calls' };
  });
  observation.onRefused = ({ message }) => refused.push(message);
  expect((await (await post()).json()) as any).toMatchObject({ object: 'chat.completion' });
  expect(await (await post()).text()).toBe('data: x\n\n');
  for (let again = 0; again < 2; again++) {
    const response = await post();
    expect([response.status, response.headers.get('x-should-retry')]).toEqual([403, 'false']);
    expect(((await response.json()) as any).error.message).toBe('more than 2 model calls');
  }
  expect(refused).toEqual(['more than 2 model calls']);
  expect(made).toEqual([0, 1, 2]);
  expect(server.asked).toHaveLength(1);
});

test('variables that are set keep their destination, and unset ones go to the provider', () => {
  const routed = (env: Record<string, string>): Record<string, string> =>
    Object.fromEntries(modelRoutes(env).map(({ variable, upstream }) => [variable, upstream.href]));
  expect(routed({})).toEqual({
    OPENAI_BASE_URL: 'https://api.openai.com/v1',
    OPENAI_API_BASE: 'https://api.openai.com/v1',
    ANTHROPIC_BASE_URL: 'https://api.anthropic.com/',
    ANTHROPIC_API_URL: 'https://api.anthropic.com/',
    GOOGLE_GEMINI_BASE_URL: 'https://generativelanguage.googleapis.com/',
  });
  const own = {
    OPENAI_API_BASE: 'http://gateway:4000/v1',
    AZURE_OPENAI_ENDPOINT: 'https://me.openai.azure.com',
  };
  expect(routed({ ...own, ANTHROPIC_BASE_URL: ' ', GOOGLE_GEMINI_BASE_URL: 'not an address' })).toEqual({
    OPENAI_API_BASE: 'http://gateway:4000/v1',
    ANTHROPIC_BASE_URL: 'https://api.anthropic.com/',
    ANTHROPIC_API_URL: 'https://api.anthropic.com/',
    AZURE_OPENAI_ENDPOINT: 'https://me.openai.azure.com/',
  });
});

test.each([
  [{}, 'OPENAI_BASE_URL', '/v1/chat/completions', '/v1/chat/completions'],
  [{}, 'OPENAI_BASE_URL', '/v1/v1/chat/completions', '/v1/chat/completions'],
  [{}, 'ANTHROPIC_BASE_URL', '/v1/messages', '/v1/messages'],
  [{}, 'ANTHROPIC_BASE_URL', '/messages?beta=true', '/v1/messages?beta=true'],
  [{}, 'GOOGLE_GEMINI_BASE_URL', '/v1beta/models/m:generateContent', '/v1beta/models/m:generateContent'],
  [{}, 'GOOGLE_GEMINI_BASE_URL', '/v1/models/m:generateContent', '/v1/models/m:generateContent'],
  [{}, 'GOOGLE_GEMINI_BASE_URL', '/models/m:generateContent', '/v1beta/models/m:generateContent'],
  [{ ANTHROPIC_BASE_URL: 'http://gateway' }, 'ANTHROPIC_BASE_URL', '/messages', '/messages'],
])('with %j, %s%s goes to %s', (env, variable, given, wanted) => {
  const route = modelRoutes(env).find((each) => each.variable === variable)!;
  expect(upstreamPath(route, given)).toBe(wanted);
});

test("a program behind another proxy reaches Assay's proxy directly", () => {
  const { env } = proxy.open({ HTTPS_PROXY: 'http://corporate:3128', no_proxy: 'intranet' });
  expect(env).toMatchObject({ NO_PROXY: 'intranet,127.0.0.1', no_proxy: 'intranet,127.0.0.1' });
  expect(proxy.open({}).env).not.toHaveProperty('NO_PROXY');
});
