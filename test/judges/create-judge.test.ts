import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createJudge, type JudgeOptions } from '../../src/checks/judges/create-judge.ts';
import { JudgeError } from '../../src/checks/judges/judge-error.ts';
import type { ModelJudgeConfig } from '../../src/checks/judges/judge-config.ts';
import { resolveJudge } from '../../src/checks/judges/resolve-judge.ts';
import type { JudgeRequest } from '../../src/checks/contract/judge.ts';
import type { ModelServer, Turn } from '../servers/model-server.ts';
import { useModelServers } from '../servers/use-model-servers.ts';

const KEY = 'sk-judge-0123456789abcdef';
const start = useModelServers();

const question: JudgeRequest = {
  system: 'You judge.',
  prompt: 'Good?',
  schema: {
    type: 'object',
    properties: { reasoning: { type: 'string' }, ok: { type: 'boolean' } },
    required: ['reasoning', 'ok'],
    additionalProperties: false,
  },
  sample: 0,
  check: (answer) =>
    (answer as { reasoning?: string }).reasoning === 'twisted' ? 'it is twisted' : undefined,
};
const good: Turn = { text: '{"reasoning":"fine","ok":true}' };

function judgeAt(
  server: ModelServer,
  config: Partial<ModelJudgeConfig> = {},
  options: Partial<JudgeOptions> = {},
) {
  const whole: ModelJudgeConfig = {
    name: 'strict',
    provider: 'openai',
    model: 'judge-1',
    api_key: KEY,
    base_url: `${server.url}/v1`,
    ...config,
  };
  const judge = createJudge(whole, { env: {}, backoffMs: 1, ...options });
  return (request: Partial<JudgeRequest> = {}, signal = AbortSignal.timeout(20_000)) =>
    judge.assess({ ...question, ...request }, { signal });
}

async function failure(promise: Promise<unknown>): Promise<JudgeError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(JudgeError);
  return error as JudgeError;
}

describe('structured output of every provider', () => {
  test.each([
    ['openai', {}, '"type":"json_schema"'],
    ['openai', { api: 'chat' }, '"json_schema"'],
    ['anthropic', { model: 'claude-sonnet-4-5' }, '"json_schema"'],
    ['anthropic', { model: 'claude-3-haiku-20240307' }, '"name":"json"'],
    ['google', { model: 'gemini-2.5-flash' }, 'application/json'],
    ['azure', {}, '"type":"json_schema"'],
    ['openai-compatible', {}, '"json_schema"'],
    ['openai-compatible', { structured_outputs: false }, 'fits this JSON Schema'],
  ] as const)('%s %j', async (provider, config, words) => {
    const server = await start({ ...good, usage: { input: 1000, output: 100 } });
    const assessment = await judgeAt(server, { provider, ...config, price: { input: 1, output: 2 } })();
    expect(assessment).toMatchObject({
      answer: { reasoning: 'fine', ok: true },
      isCached: false,
      token_usage: { input: 1000, output: 100 },
    });
    expect(assessment.cost_usd).toBeCloseTo(0.0012, 12);
    expect(server.requests[0]!.text).toContain(words);
  });
});

describe('retries', () => {
  test('an unreadable answer is requested twice more, and its cost counts', async () => {
    const server = await start({ text: 'Hm.' }, { text: '{"reasoning":"x"}' }, good);
    const { answer, token_usage } = await judgeAt(server)();
    expect(answer).toMatchObject({ ok: true });
    expect(token_usage).toMatchObject({ input: 300, output: 60 });
    expect(server.requests[2]!.text).toContain("must have required property 'ok'");
  });

  test('after the third unreadable answer it is an error', async () => {
    const server = await start({ text: 'Hm.' });
    expect(await failure(judgeAt(server)())).toMatchObject({
      code: 'judge_answer',
      message: expect.stringContaining('3 times'),
    });
    expect(server.requests).toHaveLength(3);
  });

  test('an answer that was cut off is an error with a hint', async () => {
    const server = await start({ text: '{"reasoning":"it goes on', finish: 'length' });
    expect((await failure(judgeAt(server)())).message).toContain('raise `max_tokens`');
  });

  test('an infrastructure failure is retried three times', async () => {
    const server = await start({ status: 429 }, { status: 503 }, { fault: 'reset' }, good);
    await judgeAt(server)();
    expect(server.requests).toHaveLength(4);
    const broken = await start({ status: 500 });
    expect((await failure(judgeAt(broken)())).code).toBe('judge_unreachable');
    expect(broken.requests).toHaveLength(4);
  });

  test('Retry-After is honoured', async () => {
    const server = await start({ status: 429, headers: { 'retry-after-ms': '400' } }, good);
    const before = performance.now();
    await judgeAt(server)();
    expect(performance.now() - before).toBeGreaterThanOrEqual(395);
    const long = await start({ status: 429, headers: { 'retry-after': '3600' } });
    expect(await failure(judgeAt(long)())).toMatchObject({ retryAfterMs: 3_600_000 });
    expect(long.requests).toHaveLength(1);
  });

  test('a rejected request is not retried', async () => {
    const server = await start({ status: 400, message: 'no such model' });
    expect((await failure(judgeAt(server)())).message).toContain('no such model');
    expect(server.requests).toHaveLength(1);
  });

  test('the signal ends waits and calls', async () => {
    const waiting = await start({ status: 429, headers: { 'retry-after': '30' } });
    await failure(judgeAt(waiting)({}, AbortSignal.timeout(100)));
    const hanging = await start({ fault: 'hang' });
    await failure(judgeAt(hanging)({}, AbortSignal.timeout(100)));
    expect((await failure(judgeAt(hanging, { timeout_ms: 80 })())).message).toContain('within 80 ms');
  });
});

const directory = (): string => join(mkdtempSync(join(tmpdir(), 'assay-cache-')), 'judge');

describe('the cache', () => {
  test('answers a repeated question', async () => {
    const server = await start(good, { text: '{"reasoning":"second","ok":false}' });
    const cacheDirectory = directory();
    const first = await judgeAt(server, {}, { cacheDirectory })();
    const second = await judgeAt(server, {}, { cacheDirectory })();
    expect(second).toEqual({ answer: first.answer, model: 'judge-1', isCached: true });
    expect(server.requests).toHaveLength(1);
    const [file] = readdirSync(cacheDirectory);
    expect(file).toMatch(/^[0-9a-f]{64}\.json$/);
    expect(statSync(join(cacheDirectory, file!)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(cacheDirectory, file!), 'utf8')).not.toContain(KEY);
  });

  test.each([
    ['another sample', {}, { sample: 1 }],
    ['another prompt', {}, { prompt: 'Bad?' }],
    ['another system prompt', {}, { system: 'You are kind.' }],
    ['another schema', {}, { schema: { ...question.schema, title: 'x' } }],
    ['another model', { model: 'judge-2' }, {}],
    ['another setting', { temperature: 1 }, {}],
    ['another judge', { name: 'mild' }, {}],
  ])('does not answer for %s', async (_name, config, request) => {
    const server = await start(good);
    const cacheDirectory = directory();
    await judgeAt(server, {}, { cacheDirectory })();
    expect((await judgeAt(server, config, { cacheDirectory })(request)).isCached).toBe(false);
    expect(server.requests).toHaveLength(2);
  });

  test.each([
    ['{"torn'],
    ['null'],
    ['{"key":"x","model":"m","answer":1}'],
    [''],
    // Kept by a version that did not look at it.
    ['{"key":KEY,"model":"m","answer":{"reasoning":"twisted","ok":true}}'],
    ['{"key":KEY,"model":"m","answer":{"reasoning":"x","ok":false,"ok":true}}'],
  ])('ignores an entry with %s', async (entry) => {
    const server = await start(good);
    const cacheDirectory = directory();
    await judgeAt(server, {}, { cacheDirectory })();
    const [file] = readdirSync(cacheDirectory);
    const key = JSON.stringify(file!.replace('.json', ''));
    writeFileSync(join(cacheDirectory, file!), entry.replace('KEY', key));
    expect((await judgeAt(server, {}, { cacheDirectory })()).isCached).toBe(false);
    expect((await judgeAt(server, {}, { cacheDirectory })()).isCached).toBe(true);
  });

  test('stores no unusable answer, and an unwritable folder is not an error', async () => {
    const twisted = { text: '{"reasoning":"twisted","ok":true}' };
    const server = await start(
      { text: 'Hm.' },
      twisted,
      { text: '{"reasoning":"x","ok":false,"ok":true}' },
      good,
    );
    const cacheDirectory = directory();
    await failure(judgeAt(server, {}, { cacheDirectory })());
    await judgeAt(server, {}, { cacheDirectory: join(import.meta.filename, 'judge') })();
    expect(() => readdirSync(cacheDirectory)).toThrow('ENOENT');
  });

  test('samples of a seeded judge are different samples', async () => {
    const server = await start(good);
    const ask = judgeAt(server, { provider: 'openai-compatible', seed: 5 });
    await Promise.all([ask({ sample: 0 }), ask({ sample: 1 })]);
    expect(server.requests.map(({ body }) => body.seed).toSorted()).toEqual([5, 6]);
  });
});

test('no error contains a key', async () => {
  const header = 'Bearer tok-abcdef123456';
  for (const turn of [
    { status: 401, message: `bad key ${KEY} and tok-abcdef123456` },
    { raw: `oops ${KEY} ${'x'.repeat(700)}` },
    { text: `${KEY} is no verdict` },
  ]) {
    const server = await start(turn);
    const error = await failure(judgeAt(server, { headers: { 'x-auth': header } })());
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toMatch(/sk-judge-0123|tok-abcdef/);
  }
});

test('max_retries and retry_status_codes decide how often and after which errors a judge is retried', async () => {
  const slow: Turn = { status: 429, message: 'slow down' };
  const never = await start(slow, good);
  expect((await failure(judgeAt(never, { max_retries: 0 })())).message).toContain('did not reply: ');
  const often = await start(slow, slow, slow, slow, slow, good);
  expect(await judgeAt(often, { max_retries: 5, retry_max_delay_ms: 1 })()).toMatchObject({
    answer: { ok: true },
  });
  const strange = await start({ status: 418, message: 'teapot' }, good);
  await judgeAt(strange, { retry_status_codes: [418] })();
  const unlisted = await start(slow, good);
  await failure(judgeAt(unlisted, { retry_status_codes: [503] })());
  const counts = [never, often, strange, unlisted].map(({ requests }) => requests.length);
  expect(counts).toEqual([1, 6, 2, 1]);
});

describe('which judge is used', () => {
  const targets = [{ name: 'agent' }, { name: 'big', provider: 'openai', model: 'x' }];

  test("the named one, else the config's, else the target's", () => {
    expect(
      resolveJudge({ judge: { provider: 'openai', model: 'm' } as never, targets }, { wanted: 'big' }),
    ).toMatchObject({ name: 'big' });
    expect(
      resolveJudge({ judge: { provider: 'openai', model: 'm' } as never, targets }, { judgeTarget: 'big' }),
    ).toMatchObject({ name: 'judge', model: 'm' });
    expect(resolveJudge({ judge: 'big', targets }, {})).toMatchObject({ name: 'big' });
    expect(resolveJudge({ targets }, { judgeTarget: 'big' })).toMatchObject({ name: 'big' });
  });

  test('a target as judge may have aliases and more fields than a judge needs', () => {
    const raw = {
      name: 'raw',
      provider: 'azure',
      deployment: 'd',
      endpoint: 'https://x.example',
      max_output_tokens: 5,
      system: 'x',
      workers: 2,
    };
    const resolved = resolveJudge({ targets: [raw] }, { wanted: 'raw' });
    expect(resolved).toEqual({
      name: 'raw',
      provider: 'azure',
      model: 'd',
      endpoint: 'https://x.example',
      max_tokens: 5,
    });
    const broken = { name: 'raw', provider: 'openai' };
    expect(() => resolveJudge({ targets: [broken] }, { wanted: 'raw' })).toThrow('needs `model`');
  });

  test('no judge, an unknown one, or one that cannot judge is an error', () => {
    expect(() => resolveJudge({ targets }, {})).toThrow('no judge is configured');
    expect(() => resolveJudge({ targets }, { wanted: 'huge' })).toThrow('use one of "big"');
    expect(() => resolveJudge({ targets }, { wanted: 'agent' })).toThrow('cannot be a judge');
  });

  test('a judge without a key names the missing key', () => {
    expect(() => createJudge({ name: 'j', provider: 'anthropic', model: 'c' }, { env: {} })).toThrow(
      'ANTHROPIC_API_KEY',
    );
  });

  test('a mock judge gives its configured answer', async () => {
    const judge = createJudge(
      { name: 'j', provider: 'mock', replies: [{ score: 1 }, '{"score":0}'] },
      { env: {} },
    );
    const { signal } = new AbortController();
    const answers = [
      await judge.assess(question, { signal }),
      await judge.assess(question, { signal }),
      await judge.assess(question, { signal }),
    ];
    expect(answers.map(({ answer }) => answer)).toEqual([{ score: 1 }, { score: 0 }, { score: 0 }]);
    const twisted = createJudge(
      { name: 'j', provider: 'mock', response: { reasoning: 'twisted' } },
      { env: {} },
    );
    expect((await failure(twisted.assess(question, { signal }))).message).toContain('it is twisted');
  });
});
