import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { effort } from '../effort.ts';
import { createTapedProject, type TapedProject } from './taped-project.ts';

let project: TapedProject;
afterEach(() => project.remove());

/** undici is found in the cache of modules, which a process that is used again has emptied. */
const inOwnProcess = (): void => {};

const undici = dirname(createRequire(import.meta.url).resolve('undici/package.json'));

const SUITE = (name: string) => `
tests:
  - id: ${name} one
    steps:
      - { input: first of ${name}, assert: [{ type: contains, value: fine }] }
      - { input: second of ${name}, assert: [{ type: contains, value: fine }] }
  - { id: ${name} two, input: other of ${name}, assert: [{ type: contains, value: fine }] }
`;

const CALL = `
const options = (content) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
});
const path = '/chat/completions';
const url = () => process.env.OPENAI_BASE_URL + path;
const text = (completion) => completion.choices[0].message.content;
const overHttp = (request, settings, content) => new Promise((resolve, reject) => {
  const { body, ...rest } = options(content);
  const sent = request(url(), { ...rest, ...settings }, (response) => {
    const chunks = [];
    response.on('data', (chunk) => chunks.push(chunk));
    response.on('end', () => resolve(text(JSON.parse(Buffer.concat(chunks).toString()))));
  });
  sent.on('error', reject);
  sent.end(body);
});
export const workers = 4;
`;

/** What each module makes once, when it is loaded. */
const CLIENTS: Readonly<Record<string, string>> = {
  'the fetch that was there': `
const client = { fetch: globalThis.fetch };
export const agent = async (input) => text(await (await client.fetch(url(), options(input))).json());`,
  'a bound fetch': `
const call = globalThis.fetch.bind(globalThis);
export const agent = async (input) => text(await (await call(url(), options(input))).json());`,
  'a fetch that a package keeps': `
import { kept } from 'keeps-fetch';
export const agent = async (input) => text(await (await kept(url(), options(input))).json());`,
  'a fetch of its own': `
const before = globalThis.fetch;
globalThis.fetch = async (...args) => before(...args);
export const agent = async (input) => text(await (await fetch(url(), options(input))).json());`,
  'a model of its own': `
globalThis.fetch = async () => Response.json({ choices: [{ message: { role: 'assistant', content: 'fine' } }] });
export const agent = async (input) => text(await (await fetch(url(), options(input))).json());`,
  'request of node:http': `
import { request } from 'node:http';
export const agent = (input) => overHttp(request, {}, input);`,
  'an agent of node:http': `
import http from 'node:http';
const agentOfHttp = new http.Agent({ keepAlive: true });
export const agent = (input) => overHttp(http.request, { agent: agentOfHttp }, input);`,
  'fetch with a dispatcher of undici': `
import { Agent } from 'undici';
const dispatcher = new Agent();
const call = fetch;
export const agent = async (input) => text(await (await call(url(), { ...options(input), dispatcher })).json());`,
  'the global dispatcher of undici': `
import { Agent, setGlobalDispatcher } from 'undici';
setGlobalDispatcher(new Agent());
export const agent = async (input) => text(await (await fetch(url(), options(input))).json());`,
  'the fetch of undici': `
import { fetch } from 'undici';
export const agent = async (input) => text(await (await fetch(url(), options(input))).json());`,
  'an agent of undici': `
import { Agent, request } from 'undici';
const dispatcher = new Agent();
export const agent = async (input) => text(await (await request(url(), { ...options(input), dispatcher })).body.json());`,
  'a pool of undici with one connection': `
import { Pool } from 'undici';
const { origin, pathname } = new URL(process.env.OPENAI_BASE_URL);
const pool = new Pool(origin, { connections: 1 });
export const agent = async (input) => text(await (await pool.request({ ...options(input), path: pathname + path })).body.json());`,
  'a client of undici': `
import { Client } from 'undici';
const { origin, pathname } = new URL(process.env.OPENAI_BASE_URL);
const client = new Client(origin);
export const agent = async (input) => text(await (await client.request({ ...options(input), path: pathname + path })).body.json());`,
};

const PACKAGES = {
  'node_modules/keeps-fetch/package.json': '{ "type": "module", "main": "index.js" }',
  'node_modules/keeps-fetch/index.js': 'export const kept = globalThis.fetch;\n',
  'node_modules/undici/package.json': '{ "main": "index.js" }',
  'node_modules/undici/index.js': `module.exports = require(${JSON.stringify(undici)});\n`,
};

function files(agent: string): Readonly<Record<string, string>> {
  return {
    ...PACKAGES,
    'assay.config.yaml': 'agent: ./agent.mjs',
    'agent.mjs': `${CALL}${agent}`,
    'a.eval.yaml': SUITE('a'),
    'b.eval.yaml': SUITE('b'),
  };
}

/** One of each way in which requests are seen. */
const SHORT = new Set([
  'a fetch that a package keeps',
  'a model of its own',
  'a pool of undici with one connection',
]);
const tried = Object.entries(CLIENTS).filter(([name]) => effort({ short: SHORT.has(name), long: true }));

test.each(tried)(
  'a client at the top of a module is recorded and replayed in every test file: %s',
  async (_name, agent) => {
    project = await createTapedProject(files(agent), () => ({ text: 'fine' }));
    const recorded = await project.run(['run', '--cassettes', 'record'], {}, inOwnProcess);
    expect(recorded.exitCode, recorded.stdout + recorded.stderr).toBe(0);
    expect(Object.keys(project.cassettes())).toHaveLength(4);
    expect(recorded.stdout).toContain('Cassettes  6 model calls recorded in 4 files in cassettes');
    const asked = project.server.requests.length;
    await project.server.close();
    const replayed = await project.run(['run', '--cassettes', 'replay'], {}, inOwnProcess);
    expect(replayed.exitCode, replayed.stdout + replayed.stderr).toBe(0);
    expect(project.server.requests).toHaveLength(asked);
  },
);

test('a model call while the module is loaded belongs to no test', async () => {
  const agent = `await fetch(url(), options('while loading'));
export const agent = async (input) => text(await (await fetch(url(), options(input))).json());`;
  project = await createTapedProject(files(agent), () => ({ text: 'fine' }));
  const recorded = await project.run(['run', '--cassettes', 'record'], {}, inOwnProcess);
  expect(recorded.exitCode, recorded.stdout + recorded.stderr).toBe(0);
  expect(JSON.stringify(project.cassettes())).not.toContain('while loading');
});

test('an agent that must not be observed is not, beside one that is', async () => {
  const agent = `export const agent = async (input) => text(await (await fetch(url(), options(input))).json());`;
  const config = `targets:
  - { name: seen, agent: ./agent.mjs }
  - { name: unseen, agent: ./other.mjs, observe: false }
`;
  const both = { ...files(agent), 'other.mjs': `${CALL}${agent}`, 'assay.config.yaml': config };
  project = await createTapedProject(both, () => ({ text: 'fine', delayMs: 20 }));
  const { stdout } = await project.run([
    'run',
    '--target',
    'seen,unseen',
    '--reporter',
    'json',
    '--workers',
    '8',
  ]);
  const { results } = JSON.parse(stdout) as {
    readonly results: readonly { readonly target: string; readonly token_usage?: object }[];
  };
  const usage = (target: string) =>
    new Set(results.filter((each) => each.target === target).map((each) => each.token_usage !== undefined));
  expect(usage('seen')).toEqual(new Set([true]));
  expect(usage('unseen')).toEqual(new Set([false]));
});

test.each([
  {
    name: 'calls that Assay cannot take part in',
    agent: `
import { request } from 'node:http';
import { createConnection } from 'node:net';
export const agent = (input) => overHttp(request, { createConnection }, input);`,
    reason: 'the agent called a model',
  },
  {
    name: 'an API that Assay cannot read',
    agent: `
export const agent = async (content) => {
  const body = JSON.stringify({ model: 'm', tools: [], messages: [{ role: 'user', content }] });
  await fetch(process.env.OPENAI_BASE_URL + '/own/talk', { method: 'POST', body });
  return 'fine';
};`,
    reason: 'the agent called a model at POST /v1/own/talk',
  },
  {
    name: 'tokens that the agent reports',
    agent: `export const agent = () => ({ output: 'fine', token_usage: { input: 5, output: 2 } });`,
    reason: 'the agent reports that it used 7 tokens',
  },
])('a recording of nothing is an error: $name', async ({ agent, reason }) => {
  project = await createTapedProject(files(agent), () => ({ text: 'fine' }));
  for (const mode of effort({ short: ['new'], long: ['record', 'new'] })) {
    const { exitCode, stdout } = await project.run(['run', '--cassettes', mode], { CI: undefined });
    expect(exitCode, stdout).toBe(3);
    expect(stdout).toContain(reason);
    expect(stdout).toContain('Cassettes  nothing recorded');
  }
  expect(project.cassettes()).toEqual({});
});
