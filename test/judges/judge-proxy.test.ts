import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openJudgeProxy, type JudgeProxy } from '../../src/checks/judges/judge-proxy.ts';
import {
  createTargetClient,
  TargetInvocationError,
  TargetNotAvailableError,
} from '../../src/checks/judge-sdk/index.ts';
import type { JudgeAccess, JudgeQuestion, RefusedCall } from '../../src/checks/contract/judge.ts';

interface Opened extends JudgeProxy {
  readonly url: string;
  readonly token: string;
  readonly asked: readonly JudgeQuestion[];
  readonly refused: readonly RefusedCall[];
}

const opened: JudgeProxy[] = [];

async function open(maxCalls: number, ask?: JudgeAccess['ask']): Promise<Opened> {
  const asked: JudgeQuestion[] = [];
  const refused: RefusedCall[] = [];
  const proxy = await openJudgeProxy({
    maxCalls,
    names: () => Promise.resolve({ judge: 'strict', judges: ['strict', 'kind'] }),
    onRefused: (refusal) => refused.push(refusal),
    async ask(question, signal) {
      asked.push(question);
      // Calls at the same time are all under way before the first is answered.
      await new Promise((resolve) => setImmediate(resolve));
      return ask === undefined ? `answer ${asked.length}` : ask(question, signal);
    },
  });
  opened.push(proxy);
  const { AGENTV_TARGET_PROXY_URL: url = '', AGENTV_TARGET_PROXY_TOKEN: token = '' } = proxy.env;
  vi.stubEnv('AGENTV_TARGET_PROXY_URL', url);
  vi.stubEnv('AGENTV_TARGET_PROXY_TOKEN', token);
  return { ...proxy, url, token, asked, refused };
}

beforeEach(() => {
  vi.unstubAllEnvs();
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((proxy) => proxy.close()));
});

async function failure(promise: Promise<unknown>): Promise<TargetInvocationError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TargetInvocationError);
  return error as TargetInvocationError;
}

test('answers one call and a batch, and reports how many are left', async () => {
  const { asked } = await open(5);
  const client = createTargetClient()!;
  const request = { question: 'Good?', systemPrompt: 'Judge.', target: 'kind', evalCaseId: 'x', attempt: 2 };
  expect(await client.invoke(request)).toEqual({
    outputMessages: [{ role: 'assistant', content: 'answer 1' }],
    rawText: 'answer 1',
  });
  const batch = await client.invokeBatch([{ question: 'a' }, { question: 'b' }]);
  expect(batch.map(({ rawText }) => rawText)).toEqual(['answer 2', 'answer 3']);
  expect(asked).toEqual([
    { prompt: 'Good?', system: 'Judge.', target: 'kind' },
    { prompt: 'a' },
    { prompt: 'b' },
  ]);
  expect(await client.getInfo()).toEqual({
    targetName: 'strict',
    maxCalls: 5,
    callCount: 3,
    availableTargets: ['strict', 'kind'],
  });
});

test('enforces the limit for concurrent calls and for a batch as a whole', async () => {
  const { asked, refused } = await open(4);
  const client = createTargetClient()!;
  const tooMany = await failure(client.invokeBatch(Array.from({ length: 5 }, () => ({ question: 'q' }))));
  expect([tooMany.statusCode, asked.length]).toEqual([429, 0]);
  const settled = await Promise.allSettled(
    Array.from({ length: 12 }, (_, index) =>
      index % 3 === 0 ? client.invokeBatch([{ question: 'q' }]) : client.invoke({ question: 'q' }),
    ),
  );
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
  expect([asked.length, refused.filter(({ reason }) => reason === 'limit').length]).toEqual([4, 9]);
  expect((await failure(client.invoke({ question: 'q' }))).message).toMatch(/limit: 4/);
  expect(await client.getInfo()).toMatchObject({ callCount: 4 });
});

test('allows no call at all with a limit of 0', async () => {
  const { asked } = await open(0);
  expect((await failure(createTargetClient()!.invoke({ question: 'q' }))).statusCode).toBe(429);
  expect(asked).toEqual([]);
});

test('refuses requests without the token of this script', async () => {
  const other = await open(5);
  const { url, token, asked, refused } = await open(5);
  const tries = [
    undefined,
    '',
    'Bearer',
    `Bearer ${other.token}`,
    token,
    `Bearer ${token} `,
    `Bearer ${token}x`,
  ];
  for (const authorization of tries) {
    const headers = authorization === undefined ? {} : { authorization };
    for (const path of ['/info', '/invoke', '/nowhere']) {
      const init = path === '/invoke' ? { method: 'POST', body: '{"question":"q"}' } : {};
      const { status } = await fetch(`${url}${path}`, { ...init, headers });
      // A blank at the end is no part of a header.
      expect([authorization, path, status]).toEqual([
        authorization,
        path,
        authorization === `Bearer ${token} ` ? { '/info': 200, '/invoke': 200, '/nowhere': 404 }[path] : 401,
      ]);
    }
  }
  expect([asked.length, other.asked.length]).toEqual([1, 0]);
  expect(refused).toHaveLength(19);
  expect(new Set(refused.map(({ reason }) => reason))).toEqual(new Set(['request']));
  const preflight = await fetch(`${url}/invoke`, { method: 'OPTIONS' });
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([401, null]);
});

test('listens on the loopback only', async () => {
  const { url } = await open(1);
  const { hostname, port } = new URL(url);
  expect(hostname).toBe('127.0.0.1');
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4');
  for (const { address } of outside) {
    const outcome = await new Promise((resolve) => {
      const socket = connect({ host: address, port: Number(port), timeout: 5000 });
      socket.on('connect', () => (socket.destroy(), resolve('connected')));
      socket.on('timeout', () => (socket.destroy(), resolve('refused')));
      socket.on('error', () => resolve('refused'));
    });
    expect([address, outcome]).toEqual([address, 'refused']);
  }
});

test.each([
  ['/invoke', '{}', /question/],
  ['/invoke', '{"question": ""}', /question/],
  ['/invoke', '{"question": 5}', /question/],
  ['/invoke', '{"question": "q", "systemPrompt": 1}', /systemPrompt/],
  ['/invoke', '{"question": "q", "target": "agent"}', /Unknown target 'agent'. Available: strict, kind/],
  ['/invoke', '[]', /JSON object/],
  ['/invoke', 'question', /not JSON/],
  ['/invokeBatch', '{"requests": {}}', /requests/],
  ['/invokeBatch', '{"requests": [{"question": "q"}, {}]}', /question/],
])('refuses %s with %s before calling the judge', async (path, body, message) => {
  const { url, token, asked, refused } = await open(5);
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body,
  });
  expect(response.status).toBe(400);
  expect(((await response.json()) as { readonly error: string }).error).toMatch(message);
  expect(asked).toEqual([]);
  expect(refused).toMatchObject([{ reason: 'request', message: expect.stringMatching(message) as string }]);
  expect(await createTargetClient()!.getInfo()).toMatchObject({ callCount: 0 });
});

test("passes on the judge's errors, also in a batch", async () => {
  await open(9, ({ prompt }) =>
    prompt === 'bad' ? Promise.reject(new Error('the judge is away')) : Promise.resolve('fine'),
  );
  const client = createTargetClient()!;
  const single = await failure(client.invoke({ question: 'bad' }));
  expect([single.statusCode, single.message]).toEqual([500, 'the judge is away']);
  const batch = await failure(client.invokeBatch([{ question: 'good' }, { question: 'bad' }]));
  expect(batch.message).toBe('the judge is away');
});

test('ends with the script: calls under way are stopped, and the port is closed', async () => {
  let stopped = false;
  let onStart!: () => void;
  const started = new Promise<void>((resolve) => (onStart = resolve));
  const proxy = await open(5, (_question, signal) => {
    onStart();
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        stopped = true;
        reject(new Error('stopped'));
      });
    });
  });
  const client = createTargetClient()!;
  const call = client.invoke({ question: 'q' }).catch(() => 'cut');
  await started;
  await proxy.close();
  expect([stopped, await call]).toEqual([true, 'cut']);
  await expect(client.getInfo()).rejects.toThrow();
});

test('a script gets no client if its evaluator has no target', () => {
  expect(createTargetClient()).toBeUndefined();
  vi.stubEnv('AGENTV_TARGET_PROXY_URL', 'http://127.0.0.1:1');
  expect(() => createTargetClient()).toThrow(TargetNotAvailableError);
});
