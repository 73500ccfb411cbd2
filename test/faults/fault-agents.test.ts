import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject } from '../project.ts';
import { startModelServer, type ModelServer } from '../servers/model-server.ts';
import { FETCH_AGENT, HTTP_AGENT, lookUpAndTell, PROGRAM } from './fetch-agent.ts';
import { runSuite, verdictsOf } from './run-faults.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(lookUpAndTell);
});
afterAll(() => server.close());

const model = (call: number, what: unknown) => ({ on: 'model', call, do: what });

const SUITE = [
  ['limited', 'hello', [model(1, 429)]],
  ['reset', 'look up 1', [model(2, 'reset')], 'I found | the weather is fine'],
  ['timeout', 'impatient', [model(1, 'timeout')]],
  ['cut', 'look up 1', [model(2, 'truncate')], 'I found | the weather is fine'],
  ['cut-stream', 'stream', [model(1, 'truncate')]],
  ['reply-stream', 'stream', [model(1, { reply: 'lies' })], 'lies'],
  ['tool', 'look up 1', [{ on: 'tool search', call: 1, do: 'truncate' }], 'I found | the weath'],
  ['throws', 'plain hello', [model(1, 500)]],
  ['throws-cut', 'plain hello', [model(1, 'truncate')]],
  ['beyond', 'hello', [model(3, 429)]],
].map(([id, input, faults, output = 'I found']) => ({
  id,
  input,
  faults,
  assert: { 'output.equals': output },
}));

const CONFIG = {
  targets: [
    { name: 'http', agent: './http.mjs' },
    { name: 'program', command: ['node', 'main.mjs'], observe: true },
    { name: 'blind', command: ['node', 'main.mjs'] },
    { name: 'off', agent: './agent.mjs', observe: false },
    { name: 'mock', provider: 'mock', response: 'I found' },
  ],
};

function create(suite: readonly unknown[], files: Readonly<Record<string, string>> = {}) {
  return createProject({
    'agent.mjs': FETCH_AGENT,
    'http.mjs': HTTP_AGENT,
    'main.mjs': PROGRAM,
    'assay.config.yaml': JSON.stringify(CONFIG),
    'a.test.json': JSON.stringify(suite),
    ...files,
  });
}

/** Starting a program takes long. */
const OF_PROGRAM = new Set(['limited', 'reset', 'timeout', 'cut-stream', 'tool', 'throws-cut', 'beyond']);

test.each([
  ['http', SUITE],
  ['program', SUITE.filter(({ id }) => OF_PROGRAM.has(id as string))],
] as const)('%s: live and replayed', async (target, suite) => {
  const project = create(suite);
  const run = (mode: string, url: string) =>
    runSuite({ cwd: project.path, url, args: ['--target', target, '--cassettes', mode] });
  const recorded = await run('record', server.url);
  const bad = recorded.results.filter(({ verdict }) => verdict !== 'passed');
  const ids = suite.map(({ id }) => id as string).filter((id) => /throws|beyond/.test(id));
  expect(bad.map(({ test: id, error }) => [id, error!.kind]).toSorted()).toEqual(
    ids.map((id) => [id, id === 'beyond' ? 'fault' : 'agent']).toSorted(),
  );
  expect(recorded.of('tool').steps[0]!.tool_calls).toMatchObject([{ tool: 'search', output: 'the weath' }]);
  const replayed = await run('replay', 'http://127.0.0.1:9');
  expect(verdictsOf(replayed)).toEqual(verdictsOf(recorded));
  project.remove();
});

test('a fault is an error for an agent whose calls cannot be seen', async () => {
  const targets = ['blind', 'off', 'mock'];
  const evalcases = targets.map((target) => ({
    id: target,
    execution: { target },
    faults: [model(1, 429)],
    steps: [{ input: 'hello', assert: { 'output.equals': 'I found' } }],
  }));
  const project = create([], { 'a.eval.json': JSON.stringify({ evalcases }) });
  const { results, exitCode } = await runSuite({ cwd: project.path, url: server.url, args: ['a.eval.json'] });
  expect(exitCode).toBe(3);
  expect(results.map(({ test: id }) => id).toSorted()).toEqual(targets.toSorted());
  for (const { test: id, error } of results)
    expect(error).toEqual({
      kind: 'fault',
      message: expect.stringContaining(`the model calls of "${id}" do not pass through Assay`) as string,
    });
  project.remove();
});

test('a request through undici meets faults, but its response cannot be changed', async () => {
  const undici = fileURLToPath(new URL('../../node_modules/undici/index.js', import.meta.url));
  const agent = `
    import { request } from ${JSON.stringify(undici)};
    export async function agent(content) {
      const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] });
      const headers = { 'content-type': 'application/json' };
      const url = process.env.OPENAI_BASE_URL + '/chat/completions';
      return request(url, { method: 'POST', headers, body }).then(() => 'I found', () => 'I found');
    }`;
  const suite = [429, 'timeout', 'truncate', { reply: 'lies' }, 'reset'].map((what) => ({
    id: JSON.stringify(what),
    input: 'hello',
    faults: [model(1, what)],
    assert: { 'output.equals': 'I found' },
  }));
  const project = create(suite, { 'undici.mjs': agent });
  const { results } = await runSuite({
    cwd: project.path,
    url: server.url,
    args: ['--agent', './undici.mjs', '--timeout', '5s'],
  });
  const ended = results.map(({ test: id, verdict, error }) => [JSON.parse(id), verdict, error?.kind]);
  expect(ended).toEqual([
    [429, 'passed', undefined],
    ['timeout', 'error', 'timeout'],
    ['truncate', 'error', 'config'],
    [{ reply: 'lies' }, 'passed', undefined],
    ['reset', 'passed', undefined],
  ]);
  project.remove();
});

test('an agent that waits forever hits the time limit, live and replayed', async () => {
  const project = create([
    {
      id: 'waits',
      input: 'look up 1',
      faults: [model(2, 'timeout')],
      assert: { 'output.equals': 'I found' },
    },
  ]);
  const run = (mode: string, url: string) =>
    runSuite({ cwd: project.path, url, args: ['--target', 'http', '--timeout', '2', '--cassettes', mode] });
  for (const ran of [await run('record', server.url), await run('replay', 'http://127.0.0.1:9')])
    expect(ran.of('waits')).toMatchObject({ verdict: 'error', retries: 0, error: { kind: 'timeout' } });
  project.remove();
});
