import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFunctionAgent } from '../../src/agents/function-agent.ts';
import type { BeforeCall } from '../../src/evidence/observe/before-call.ts';
import { sendUnobserved } from '../../src/base/system/own-requests.ts';
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
import { callObserved, requestFor } from './observed-function.ts';

let server: ModelServer;
let answer: Answer = answerChat;
const nativeFetch = globalThis.fetch;

beforeEach(async () => {
  answer = answerChat;
  server = await startModelServer((asked, response) => answer(asked, response));
});

afterEach(async () => {
  await server.close();
  expect(globalThis.fetch).toBe(nativeFetch);
});

const CHAT = { model: 'test-model', messages: [{ role: 'user', content: 'hello' }] };

function post(body: unknown = CHAT, init: RequestInit = {}): Promise<Response> {
  return fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-secret' },
    body: JSON.stringify(body),
    ...init,
  });
}

test('a model call is kept with its request and its response, and without its key', async () => {
  const { reply, observed } = await callObserved(async () => {
    const response = await post();
    return ((await response.json()) as any).choices[0].message.content;
  });
  expect(reply).toBe('You said: hello');
  expect(observed).toMatchObject({ unattributed: 0 });
  expect(observed!.exchanges).toHaveLength(1);
  const [exchange] = observed!.exchanges;
  expect(exchange).toMatchObject({
    seq: 1,
    step: 1,
    method: 'POST',
    path: '/v1/chat/completions',
    request: CHAT,
    status: 200,
    response: chatCompletion('You said: hello'),
    response_headers: { 'content-type': 'application/json' },
  });
  expect(exchange!.aborted).toBeUndefined();
  expect(exchange!.ended_ms).toBeGreaterThanOrEqual(exchange!.first_byte_ms!);
  expect(exchange!.first_byte_ms).toBeGreaterThanOrEqual(exchange!.started_ms);
  expect(JSON.stringify(observed)).not.toContain('sk-secret');
});

test('other requests pass unchanged and are not kept', async () => {
  answer = (_asked, response) => sendJson(response, { data: [] });
  let same = false;
  const { observed } = await callObserved(async () => {
    await (await fetch(`${server.url}/v1/models`)).text();
    await (await fetch(`${server.url}/v1/embeddings`, { method: 'POST', body: '{}' })).text();
    await (await fetch(`${server.url}/v1/chat/completions`)).text();
    await (await post(undefined, { body: new URLSearchParams({ a: 'b' }) as never })).text();
    await (await post('a text')).text();
    const response = await fetch(`${server.url}/other`);
    same = Object.getOwnPropertyNames(response).length === 0;
    return 'done';
  });
  expect(observed).toEqual({
    exchanges: [],
    unattributed: 0,
    other_calls: [{ kind: 'embedding', calls: 1 }],
    unread: [],
    hidden: [],
    harmless: [],
  });
  expect(same).toBe(true);
  expect(server.asked).toHaveLength(6);
});

test('with observe: false nothing is kept', async () => {
  const { observed } = await callObserved(
    async () => {
      expect(globalThis.fetch).toBe(nativeFetch);
      return (await post()).text();
    },
    { observe: false },
  );
  expect(observed).toBeUndefined();
});

test('the response is the same as without Assay: URL, type, headers, clones, byte readers', async () => {
  answer = (_asked, response) => {
    response.writeHead(418, 'Teapot', [
      ['x-one', 'a'],
      ['set-cookie', 'secret=1'],
      ['set-cookie', 'other=2'],
    ] as never);
    response.end('short and stout');
  };
  const describe = async (response: Response) => ({
    is: response instanceof Response,
    url: response.url,
    type: response.type,
    ok: response.ok,
    status: response.status,
    statusText: response.statusText,
    redirected: response.redirected,
    cookies: response.headers.getSetCookie(),
    one: response.headers.get('x-one'),
    used: response.bodyUsed,
    clone: [response.clone().url, await response.clone().clone().text()],
    byob: Buffer.from(
      (await response.clone().body!.getReader({ mode: 'byob' }).read(new Uint8Array(5))).value!,
    ).toString(),
    text: await response.text(),
    usedThen: response.bodyUsed,
    again: await response.text().catch((error: Error) => error.name),
  });
  const bare = await describe(await post());
  let seen: unknown;
  const { observed } = await callObserved(async () => {
    seen = await describe(await post());
    return 'done';
  });
  expect(seen).toEqual(bare);
  expect(observed!.exchanges[0]).toMatchObject({ status: 418, response_text: 'short and stout' });
  expect(JSON.stringify(observed)).not.toContain('secret=1');
});

test.each([
  ['bytes', () => ({ body: Buffer.from(JSON.stringify(CHAT)) })],
  ['an array buffer', () => ({ body: new TextEncoder().encode(JSON.stringify(CHAT)).buffer })],
  ['a blob', () => ({ body: new Blob([JSON.stringify(CHAT)]) })],
  ['a stream', () => ({ body: new Blob([JSON.stringify(CHAT)]).stream(), duplex: 'half' })],
  ['a stream of Node', () => ({ body: Readable.from([Buffer.from(JSON.stringify(CHAT))]), duplex: 'half' })],
])('the request is read when it is %s', async (_what, init) => {
  for (const beforeCall of [undefined, () => ({ do: 'forward' }) as const]) {
    const { observed } = await callObserved(async () => (await post(undefined, init() as never)).text(), {
      beforeCall,
    });
    expect(observed!.exchanges).toMatchObject([{ request: CHAT, status: 200 }]);
    expect(server.asked.at(-1)!.body).toEqual(CHAT);
  }
});

test('a Request object is read, with and without changes', async () => {
  for (const beforeCall of [undefined, () => ({ do: 'forward' }) as const]) {
    const { observed } = await callObserved(
      async () => {
        const make = (): Request =>
          new Request(`${server.url}/v1/messages`, { method: 'POST', body: JSON.stringify(CHAT) });
        await (await fetch(make())).text();
        const body = JSON.stringify({ ...CHAT, model: 'other' });
        await (await fetch(make(), { method: 'POST', body })).text();
        return (await fetch(new URL(`${server.url}/v1/messages`), make())).text();
      },
      { beforeCall },
    );
    expect(observed!.exchanges.map(({ request }) => request!['model'])).toEqual([
      'test-model',
      'other',
      'test-model',
    ]);
    expect(server.asked.slice(-3).map(({ body }) => body.model)).toEqual([
      'test-model',
      'other',
      'test-model',
    ]);
  }
});

test('a stream arrives piece by piece, and each piece is kept', async () => {
  const events = chatEvents('one two three');
  const stream = answerOneByOne(events);
  answer = stream.answer;
  const pieces: string[] = [];
  const { observed } = await callObserved(async () => {
    const response = await post({ ...CHAT, stream: true });
    for await (const chunk of response.body!) {
      pieces.push(Buffer.from(chunk).toString());
      stream.next();
    }
    return 'done';
  });
  expect(pieces).toEqual(events);
  expect(observed!.exchanges).toMatchObject([{ response_text: events.join('') }]);
  expect(observed!.exchanges[0]!.aborted).toBeUndefined();
});

test('a stream that breaks off also breaks off for the agent, and is marked', async () => {
  answer = (_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chatEvents('one two')[0], () => response.destroy());
  };
  const fail = async (): Promise<string> => {
    const response = await post();
    const error = await response.text().catch((thrown: Error) => thrown);
    return `${(error as Error).name}: ${(error as Error).message}`;
  };
  const bare = await fail();
  const { reply, observed } = await callObserved(fail);
  expect(reply).toBe(bare);
  expect(observed!.exchanges).toMatchObject([
    { status: 200, aborted: true, response_text: chatEvents('one two')[0] },
  ]);
});

test('a server that is down gives the agent the same error, and an exchange without a response', async () => {
  const { url } = server;
  await server.close();
  const fail = async (): Promise<string> => {
    const error = await fetch(`${url}/v1/responses`, {
      method: 'POST',
      body: '{"model":"m","input":"x"}',
    }).catch((thrown: Error) => thrown);
    return `${(error as Error).message} ${((error as Error).cause as { code: string }).code}`;
  };
  const bare = await fail();
  const { reply, observed } = await callObserved(fail);
  expect(reply).toBe(bare);
  expect(observed!.exchanges).toMatchObject([{ path: '/v1/responses', status: 0, aborted: true }]);
  server = await startModelServer();
});

test('an agent that aborts, reads a part or reads nothing blocks nothing', async () => {
  let closed = 0;
  answer = (_asked, response) => {
    response.on('close', () => closed++);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chatEvents('one two')[0]);
  };
  const unread: Response[] = [];
  const { reply, observed } = await callObserved(async () => {
    const abort = new AbortController();
    const aborted = await post(CHAT, { signal: abort.signal });
    abort.abort(new Error('enough'));
    const error = await aborted.text().catch((thrown: Error) => thrown.message);
    const early = await post(CHAT, { signal: AbortSignal.abort(new Error('too early')) }).catch(
      (thrown: Error) => thrown.message,
    );
    const partial = await post();
    for await (const chunk of partial.body!) if (chunk.length > 0) break;
    unread.push(await post());
    return `${error} ${early}`;
  });
  expect(reply).toBe('enough too early');
  expect(observed!.exchanges.map(({ aborted, status }) => [status, aborted])).toEqual([
    [200, true],
    [0, true],
    [200, true],
    [200, true],
  ]);
  // Cancelled by the agent, cancelled for the server.
  await expect.poll(() => closed).toBe(2);
  await unread[0]!.body!.cancel();
});

test('50 MB reach the agent, and only a part is kept', async () => {
  const megabyte = Buffer.alloc(1024 * 1024, 'x');
  answer = async (_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let sent = 0; sent < 50; sent++)
      if (!response.write(megabyte)) await new Promise((resolve) => response.once('drain', resolve));
    response.end();
  };
  const { reply, observed } = await callObserved(async () =>
    String((await (await post()).arrayBuffer()).byteLength),
  );
  expect(reply).toBe(String(50 * 1024 * 1024));
  const [exchange] = observed!.exchanges;
  expect(exchange!.aborted).toBe(true);
  expect(exchange!.response_text!.length).toBeLessThanOrEqual(10 * 1024 * 1024);
});

test('a redirect is followed, and counts once', async () => {
  answer = (asked, response) => {
    if (asked.path.startsWith('/old')) response.writeHead(307, { location: '/new/chat/completions' }).end();
    else answerChat(asked, response);
  };
  const { reply, observed } = await callObserved(async () => {
    const response = await fetch(`${server.url}/old/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(CHAT),
    });
    return `${response.redirected} ${new URL(response.url).pathname}`;
  });
  expect(reply).toBe('true /new/chat/completions');
  expect(observed!.exchanges).toHaveLength(1);
});

test('a fetch that was saved earlier or replaced is observed too', async () => {
  const { observed } = await callObserved(async () => {
    await (
      await nativeFetch(`${server.url}/v1/chat/completions`, { method: 'POST', body: JSON.stringify(CHAT) })
    ).text();
    const watched = globalThis.fetch;
    globalThis.fetch = (...args) => watched(...args);
    try {
      return await (await post({ ...CHAT, model: 'second' })).text();
    } finally {
      globalThis.fetch = watched;
    }
  });
  expect(observed!.exchanges).toMatchObject([
    { request: CHAT, status: 200, response: chatCompletion('You said: hello') },
    { request: { ...CHAT, model: 'second' }, status: 200 },
  ]);
  expect(observed!.exchanges.some(({ aborted }) => aborted)).toBe(false);
});

test('keys in the query are not kept', async () => {
  const { observed } = await callObserved(async () =>
    (
      await fetch(`${server.url}/v1beta/models/m:streamGenerateContent?alt=sse&key=AIza-secret`, {
        method: 'POST',
        body: JSON.stringify({ contents: [] }),
      })
    ).text(),
  );
  expect(observed!.exchanges).toMatchObject([{ path: '/v1beta/models/m:streamGenerateContent?alt=sse' }]);
  expect(server.asked[0]!.path).toContain('key=AIza-secret');
});

test("Assay's own calls belong to no attempt", async () => {
  const { observed } = await callObserved(async () => {
    await (await sendUnobserved(() => post())).text();
    return 'done';
  });
  expect(server.asked).toHaveLength(1);
  expect(observed!.exchanges).toEqual([]);
  expect(observed!.unattributed).toBe(0);
});

test('twelve concurrent conversations stay apart', async () => {
  answer = async (asked, response) => {
    await new Promise((resolve) => setTimeout(resolve, asked.body.messages.length % 3));
    answerChat(asked, response);
  };
  const agent = createFunctionAgent(
    async (input) => {
      const messages: { role: string; content: string }[] = [];
      for (let turn = 0; turn < 5; turn++) {
        messages.push({ role: 'user', content: `${input} ${turn}` });
        const response = await post({ model: 'test-model', messages, stream: turn % 2 === 0 });
        messages.push({ role: 'assistant', content: await response.text() });
      }
      return input;
    },
    { name: 'a function', workers: 12 },
  );
  const talk = async (name: string): Promise<void> => {
    const session = await agent.open({ id: name, file: 'suite.yaml' });
    for (const step of [1, 2]) {
      const { observed } = await session.send(
        requestFor(`${name}-${step}`, step),
        new AbortController().signal,
      );
      expect(observed!.unattributed).toBe(0);
      expect(observed!.exchanges.map(({ seq, step: own }) => [seq, own])).toEqual(
        [1, 2, 3, 4, 5].map((seq) => [seq + (step - 1) * 5, step]),
      );
      for (const { request } of observed!.exchanges)
        expect((request!['messages'] as any)[0].content).toBe(`${name}-${step} 0`);
    }
    await session.close();
  };
  await Promise.all(Array.from({ length: 12 }, (_, index) => talk(`conversation ${index}`)));
  await agent.close();
});

test('a call outside any context belongs to the only attempt, or to none if there are several', async () => {
  // Made by a queue that was set up before any attempt, as connection pools and batchers are.
  const jobs: (() => Promise<void>)[] = [];
  const queue = setInterval(() => void jobs.shift()?.(), 1);
  const run = (): Promise<string> =>
    new Promise((resolve) => {
      jobs.push(async () => resolve(await (await post()).text()));
    });
  const agent = createFunctionAgent(run, { name: 'a function', workers: 2 });
  const talk = async (): Promise<readonly [number, number]> => {
    const session = await agent.open({ id: 'x', file: 'suite.yaml' });
    const { observed } = await session.send(requestFor('hello'), new AbortController().signal);
    await session.close();
    return [observed!.exchanges.length, observed!.unattributed];
  };
  try {
    expect(await talk()).toEqual([1, 0]);
    // Neither is answered before both have asked.
    answer = async (asked, response) => {
      while (server.asked.length < 3) await new Promise((resolve) => setTimeout(resolve, 1));
      answerChat(asked, response);
    };
    const both = await Promise.all([talk(), talk()]);
    expect(both.map(([exchanges]) => exchanges)).toEqual([0, 0]);
    expect(both.every(([, unattributed]) => unattributed > 0)).toBe(true);
  } finally {
    clearInterval(queue);
    await agent.close();
  }
});

test('a late call may be of any attempt that runs, not only of the first that ends', async () => {
  let made: Promise<unknown> = Promise.resolve();
  let callLate = (): void => {};
  let bothRun = (): void => {};
  const running = new Promise<void>((resolve) => (bothRun = resolve));
  let count = 0;
  const agent = createFunctionAgent(
    async (input) => {
      if (input === 'early') {
        const tools = [{ type: 'function', function: { name: 'delete' } }];
        const asked = new Promise<void>((resolve) => (callLate = resolve));
        made = asked.then(async () => (await post({ ...CHAT, tools })).text());
        return 'done';
      }
      if (++count === 2) bothRun();
      await running;
      callLate();
      await made;
      return 'done';
    },
    { name: 'a function', workers: 2 },
  );
  const talk = async (input: string): Promise<number> => {
    const session = await agent.open({ id: input, file: 'suite.yaml' });
    const { observed } = await session.send(requestFor(input), new AbortController().signal);
    await session.close();
    return observed!.unattributed;
  };
  try {
    expect(await talk('early')).toBe(0);
    expect(await Promise.all([talk('one'), talk('two')])).toEqual([1, 1]);
  } finally {
    await agent.close();
  }
});

test('late calls of an agent that timed out do not count for the next attempt', async () => {
  let goOn = (): void => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  let late: Promise<unknown> | undefined;
  const limit = new AbortController();
  const agent = createFunctionAgent(
    async (input) => {
      if (input === 'slow') {
        await (await post()).text();
        limit.abort(new Error('late'));
        await held;
        return (late = post({ ...CHAT, model: 'late' }).then((response) => response.text()));
      }
      goOn();
      await new Promise((resolve) => setTimeout(resolve, 20));
      await late;
      return (await post({ ...CHAT, model: 'mine' })).text();
    },
    { name: 'a function' },
  );
  const slow = await agent.open({ id: 'slow', file: 'suite.yaml' });
  const error = await Promise.resolve(slow.send(requestFor('slow'), limit.signal)).catch((thrown) => thrown);
  expect(error.observed.exchanges).toHaveLength(1);
  await slow.close();
  const next = await agent.open({ id: 'next', file: 'suite.yaml' });
  const { observed } = await next.send(requestFor('next'), new AbortController().signal);
  await next.close();
  await agent.close();
  expect(observed!.exchanges.map(({ request }) => request!['model'])).toEqual(['mine']);
  // It has a context of its own, so nothing is in doubt.
  expect(observed!.unattributed).toBe(0);
});

test('a call can be refused: the agent gets an error, and the attempt ends at the limit', async () => {
  let calls = 0;
  const got: unknown[] = [];
  const agent = createFunctionAgent(
    async () => {
      for (;;) {
        const response = await post();
        got.push([response.status, ((await response.json()) as any).error?.message]);
        // It does not take no for an answer.
        if (got.length === 5) return 'gave up';
      }
    },
    { name: 'a function' },
  );
  const beforeCall: BeforeCall = ({ request }) => {
    expect(request).toEqual(CHAT);
    return ++calls > 2
      ? { do: 'refuse', kind: 'limit', message: 'more than 2 model calls' }
      : { do: 'forward' };
  };
  const session = await agent.open({ id: 'a test', file: 'suite.yaml' }, { beforeCall });
  const sending = Promise.resolve(session.send(requestFor('hello'), new AbortController().signal));
  await expect(sending).rejects.toMatchObject({ kind: 'limit', message: 'more than 2 model calls' });
  await session.close();
  await expect.poll(() => got.length).toBe(5);
  await agent.close();
  expect(calls).toBe(3);
  expect(server.asked).toHaveLength(2);
  expect(got.slice(2)).toEqual(Array.from({ length: 3 }, () => [403, 'more than 2 model calls']));
});

test('a call can be answered without a server, also as a stream', async () => {
  const events = chatEvents('from a cassette');
  const { reply, observed } = await callObserved(
    async () => {
      const response = await fetch('https://model.invalid/v1/chat/completions', {
        method: 'POST',
        body: JSON.stringify(CHAT),
      });
      return `${response.url} ${await response.text()}`;
    },
    {
      beforeCall: () => ({
        do: 'answer',
        answer: {
          status: 200,
          headers: { 'content-type': 'text/event-stream' },
          body: events.map((event) => Buffer.from(event)),
        },
      }),
    },
  );
  expect(reply).toBe(`https://model.invalid/v1/chat/completions ${events.join('')}`);
  expect(observed!.exchanges).toMatchObject([{ status: 200, response_text: events.join('') }]);
});

test('a program that is waited for in place is noticed each time that Assay watches', async () => {
  const start = (): string => String(spawnSync(process.execPath, ['--version']).status);
  for (const time of ['first', 'second', 'third']) {
    const { observed } = await callObserved(start);
    expect(observed?.hidden, time).toEqual([basename(process.execPath)]);
  }
});
