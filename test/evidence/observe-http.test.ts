import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import { gzipSync, brotliCompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFunctionAgent } from '../../src/agents/function-agent.ts';
import {
  answerChat,
  chatCompletion,
  chatEvents,
  startModelServer,
  type Answer,
  type ModelServer,
} from './model-server.ts';
import { callObserved, requestFor } from './observed-function.ts';

let server: ModelServer;
let answer: Answer = answerChat;
const { write, end } = http.ClientRequest.prototype;
// An SDK may have taken hold of it long before.
const { request: earlyRequest } = http;

beforeEach(async () => {
  answer = answerChat;
  server = await startModelServer((asked, response) => answer(asked, response));
});

afterEach(async () => {
  await server.close();
  expect(http.ClientRequest.prototype.write).toBe(write);
  expect(http.ClientRequest.prototype.end).toBe(end);
});

const CHAT = { model: 'test-model', messages: [{ role: 'user', content: 'hello' }] };

interface Sent {
  readonly options?: RequestOptions;
  readonly path?: string;
  readonly write?: readonly (string | Buffer)[];
}

/** As SDKs do it that know nothing of fetch. */
function send({
  options = {},
  path = '/v1/chat/completions',
  write: pieces,
}: Sent = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = earlyRequest(
      server.url + path,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': 'sk-secret' },
        ...options,
      },
      resolve,
    );
    request.on('error', reject);
    for (const piece of pieces ?? []) request.write(piece);
    request.end(pieces === undefined ? JSON.stringify(CHAT) : undefined);
  });
}

async function read(response: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test('a model call of node:http is kept, however it is sent and read', async () => {
  const { observed } = await callObserved(async () => {
    await read(await send());
    await read(await send({ write: ['{"model":"test-model",', Buffer.from('"messages":[]}')] }));
    const flowing = await send();
    await new Promise((resolve) => flowing.resume().on('end', resolve));
    const text = (await send()).setEncoding('utf8');
    await new Promise((resolve) => text.on('data', () => {}).on('end', resolve));
    await read(await send({ path: '/v1/embeddings' }));
    await read(await send({ path: '/v1/messages?beta=true', options: { agent: false } }));
    return 'done';
  });
  expect(observed!.exchanges.map(({ seq, path }) => [seq, path])).toEqual([
    [1, '/v1/chat/completions'],
    [2, '/v1/chat/completions'],
    [3, '/v1/chat/completions'],
    [4, '/v1/chat/completions'],
    [6, '/v1/messages?beta=true'],
  ]);
  expect(observed!.exchanges[0]).toMatchObject({
    request: CHAT,
    status: 200,
    response: chatCompletion('You said: hello'),
  });
  expect(observed!.exchanges[1]).toMatchObject({ request: { model: 'test-model', messages: [] } });
  expect(observed!.exchanges.some(({ aborted }) => aborted)).toBe(false);
  expect(JSON.stringify(observed)).not.toContain('sk-secret');
});

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
])('a %s response is decompressed only for the record', async (encoding, pack) => {
  const body = JSON.stringify(chatCompletion('packed'));
  answer = (_asked, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding });
    response.end(pack(body));
  };
  const { reply, observed } = await callObserved(async () => (await read(await send())).toString('base64'));
  expect(reply).toBe(pack(body).toString('base64'));
  expect(observed!.exchanges).toMatchObject([{ response: chatCompletion('packed') }]);
});

test('a compressed stream that breaks off gives what arrived', async () => {
  const events = chatEvents('one two three').join('');
  const packed = gzipSync(events);
  answer = (_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
    response.write(packed.subarray(0, packed.length - 12), () => response.destroy());
  };
  const { reply, observed } = await callObserved(
    async () => (await read(await send()).catch((error: NodeJS.ErrnoException) => error.code)) as string,
  );
  expect(reply).toBe('ECONNRESET');
  const [exchange] = observed!.exchanges;
  expect(exchange!.aborted).toBe(true);
  expect(exchange!.response_text).not.toBe('');
  expect(events.startsWith(exchange!.response_text!)).toBe(true);
  expect(gunzipSync(packed).toString()).toBe(events);
});

test('errors, unread responses and aborts behave as without Assay', async () => {
  answer = (_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chatEvents('one')[0]);
  };
  const fail = async (): Promise<string> => {
    const refused = await new Promise<string>((resolve) => {
      const request = http.request('http://127.0.0.1:1/v1/responses', { method: 'POST' });
      request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code!));
      request.end('{"model":"m","input":"x"}');
    });
    const abort = new AbortController();
    const response = await send({ options: { signal: abort.signal } });
    const reading = read(response).catch((error: Error) => `${error.name}: ${error.message}`);
    abort.abort();
    const unread = await send();
    setTimeout(() => unread.destroy(), 50);
    return `${refused} ${String(await reading)}`;
  };
  const bare = await fail();
  const { reply, observed } = await callObserved(fail);
  expect(reply).toBe(bare);
  expect(observed!.exchanges.map(({ status, aborted }) => [status, aborted])).toEqual([
    [0, true],
    [200, true],
    [200, true],
  ]);
});

test('a response without a listener is discarded, as without Assay', async () => {
  let isClosed = false;
  answer = (asked, response) => {
    response.on('close', () => (isClosed = true));
    answerChat(asked, response);
  };
  const { observed } = await callObserved(
    () =>
      new Promise((resolve) => {
        http
          .request(`${server.url}/v1/chat/completions`, { method: 'POST' })
          .on('close', () => resolve('done'))
          .end(JSON.stringify(CHAT));
      }),
  );
  expect(isClosed).toBe(true);
  expect(observed!.exchanges).toHaveLength(1);
});

test('concurrent conversations stay apart', async () => {
  const agent = createFunctionAgent(
    async (input) => {
      for (let turn = 0; turn < 3; turn++)
        await read(await send({ write: [JSON.stringify({ model: input, messages: [] })] }));
      return input;
    },
    { name: 'a function', workers: 12 },
  );
  const seen = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const session = await agent.open({ id: 'x', file: 'suite.yaml' });
      const { observed } = await session.send(requestFor(`model ${index}`), new AbortController().signal);
      await session.close();
      return observed!.exchanges.map(({ request }) => request!['model']);
    }),
  );
  await agent.close();
  expect(seen).toEqual(Array.from({ length: 12 }, (_, index) => Array(3).fill(`model ${index}`)));
});

test('a call can be refused, answered or forwarded', async () => {
  let calls = 0;
  const got: unknown[] = [];
  const error = await callObserved(
    async () => {
      for (let call = 0; call < 4; call++) {
        const response = await send({ options: { agent: new http.Agent({ keepAlive: true }) } });
        got.push([response.statusCode, (await read(response)).toString()]);
      }
      return 'done';
    },
    {
      beforeCall: ({ request }) => {
        expect(request).toEqual(CHAT);
        calls++;
        if (calls === 3) return { do: 'refuse', kind: 'limit', message: 'more than 2 model calls' };
        if (calls !== 2) return { do: 'forward' };
        const body = [Buffer.from('{"from":'), Buffer.from('"a cassette"}')];
        return {
          do: 'answer',
          answer: { status: 200, headers: { 'content-type': 'application/json' }, body },
        };
      },
    },
  ).catch((thrown) => thrown);
  expect(error).toMatchObject({ kind: 'limit', message: 'more than 2 model calls' });
  await expect.poll(() => got.length).toBeGreaterThanOrEqual(3);
  expect(got[0]).toEqual([200, JSON.stringify(chatCompletion('You said: hello'))]);
  expect(got[1]).toEqual([200, '{"from":"a cassette"}']);
  expect(got[2]).toEqual([403, expect.stringContaining('more than 2 model calls')]);
  expect(error.observed.exchanges.map(({ status }: { status: number }) => status).slice(0, 2)).toEqual([
    200, 200,
  ]);
  expect(server.asked[0]!.headers['x-api-key']).toBe('sk-secret');
});
