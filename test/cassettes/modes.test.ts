import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createProject } from '../project.ts';
import { createTapedProject, FETCH_AGENT, KEY, type TapedProject } from './taped-project.ts';

let project: TapedProject;
afterEach(() => project.remove());

const PARIS =
  '  - { id: paris, input: Weather in Paris?, assert: [{ type: contains, value: 21 degrees }] }\n';
const ROME = '  - { id: rome, input: Weather in Rome?, assert: [{ type: contains, value: 21 degrees }] }\n';
const FILES = {
  'assay.config.yaml': 'agent: ./agent.mjs\n',
  'agent.mjs': FETCH_AGENT,
  'weather.eval.yaml': `tests:\n${PARIS}`,
};

test('`new` replays recorded calls, records the rest, and is refused in CI', async () => {
  project = await createTapedProject(FILES);
  await project.run(['run', '--cassettes', 'record']);
  const [before] = Object.values(project.cassettes());
  writeFileSync(join(project.path, 'weather.eval.yaml'), `tests:\n${PARIS}${ROME}`);
  expect(project.server.requests).toHaveLength(2);
  const { exitCode, stderr } = await project.run(['run', '--cassettes', 'new']);
  expect(exitCode, stderr).toBe(0);
  expect(project.server.requests).toHaveLength(4);
  expect(Object.keys(project.cassettes())).toHaveLength(2);
  expect(Object.values(project.cassettes())[0]).toBe(before);
  const inCi = await project.run(['run', '--cassettes', 'new'], { CI: 'true' });
  expect(inCi.exitCode).toBe(2);
  expect(inCi.stderr).toContain('not allowed in CI');
});

test("`new` keeps a test's recordings and adds the new call", async () => {
  project = await createTapedProject(FILES);
  await project.run(['run', '--cassettes', 'record']);
  const agent = readFileSync(join(project.path, 'agent.mjs'), 'utf8');
  writeFileSync(
    join(project.path, 'agent.mjs'),
    agent.replace(
      "return { output: message.content ?? '' }",
      "{ await ask([{ role: 'user', content: 'Sure?' }, { role: 'tool', content: 'x' }]); return { output: message.content } }",
    ),
  );
  expect((await project.run(['run', '--cassettes', 'new'])).exitCode).toBe(0);
  expect(project.server.requests).toHaveLength(3);
  expect((await project.run(['run', '--cassettes', 'replay'])).exitCode).toBe(0);
  expect(project.server.requests).toHaveLength(3);
});

test.each([
  [['--cassettes', 'record', '--shard', '1/2'], '--cassettes record cannot be used with --shard'],
  [['--cassettes', 'new', '--queue', 'redis://127.0.0.1:1'], '--cassettes new cannot be used with --queue'],
  [['--cassette-timing'], '--cassette-timing is for --cassettes replay'],
  [['--cassettes', 'all'], 'record'],
  [['--cassettes', 'replay', '--no-observe'], 'remove --no-observe'],
])('%j is refused', async (args, problem) => {
  project = await createTapedProject(FILES);
  const { exitCode, stderr } = await project.run(['run', ...args]);
  expect(exitCode, stderr).toBe(2);
  expect(stderr).toContain(problem);
  expect(project.server.requests).toHaveLength(0);
});

test('the config names the mode, the folder and text to ignore; the command line wins', async () => {
  const config = `
agent: ./agent.mjs
cassettes:
  mode: replay
  dir: test/tapes
  ignore: ['\\d{4}-\\d\\d-\\d\\d', 'run [0-9a-f]+']
`;
  project = await createTapedProject({ ...FILES, 'assay.config.yaml': config });
  const recorded = await project.run(['run', '--cassettes', 'record'], {
    SYSTEM: 'Today is 2026-11-16, run 7f.',
  });
  expect(recorded.exitCode, recorded.stderr).toBe(0);
  expect(project.read('test/tapes/weather.eval.yaml/paris@default.json')).toContain('"Today is , ."');
  const asked = project.server.requests.length;
  const later = { SYSTEM: 'Today is 2027-01-02, run 00.', OPENAI_API_KEY: undefined };
  expect((await project.run(['run'], later)).exitCode).toBe(0);
  expect((await project.run(['run'], { ...later, SYSTEM: 'Today was 2027-01-02, run 00.' })).exitCode).toBe(
    3,
  );
  expect(project.server.requests).toHaveLength(asked);
  const live = await project.run(['run', '--cassettes', 'off']);
  expect(live.exitCode, live.stderr).toBe(0);
  expect(project.server.requests).toHaveLength(asked + 2);
});

test('an invalid pattern is an error in the config', async () => {
  project = await createTapedProject({
    ...FILES,
    'assay.config.yaml': 'agent: ./agent.mjs\ncassettes: { ignore: ["("] }\n',
  });
  const { exitCode, stderr } = await project.run(['run']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    'assay.config.yaml:2:23 error not a Python pattern: missing ), unterminated subpattern',
  );
});

test('a secret in a cassette is known by its variable, and equals only itself', async () => {
  project = await createTapedProject(FILES);
  const system = (key: string) => ({ SYSTEM: `The key is ${key}, keep it.` });
  const recorded = await project.run(['run', '--cassettes', 'record'], system(KEY));
  expect(recorded.exitCode, recorded.stderr).toBe(0);
  const [[name, text]] = Object.entries(project.cassettes()) as [[string, string]];
  expect(text).not.toContain(KEY);
  expect(text).toContain('The key is [redacted:OPENAI_API_KEY], keep it.');
  const replay = (key: string, env: object = {}) =>
    project.run(['run', '--cassettes', 'replay'], { ...system(key), ...env });
  const rotated = 'sk-rotated-7f31c2a9e4';
  expect((await replay(rotated, { OPENAI_API_KEY: rotated })).exitCode).toBe(0);
  // Another secret, and any other text, is another request.
  expect((await replay('sk-other-8e4d1', { OTHER_API_KEY: 'sk-other-8e4d1' })).exitCode).toBe(3);
  expect((await replay('drop all tables')).exitCode).toBe(3);
  writeFileSync(join(project.path, 'cassettes', name), text.replaceAll(':OPENAI_API_KEY]', ']'));
  const old = await replay(KEY);
  expect(old.exitCode).toBe(3);
  expect(old.stdout).toContain('record again with --cassettes record');
});

test('a pattern that ignores all text is an error, and what is ignored is shown with a miss', async () => {
  const config = (pattern: string) => ({
    ...FILES,
    'assay.config.yaml': `agent: ./agent.mjs\ncassettes: { ignore: [${pattern}] }\n`,
  });
  project = await createTapedProject(config("'[\\s\\S]+'"));
  const refused = await project.run(['run', '--cassettes', 'record']);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('matches all text of a request');
  await project.remove();
  project = await createTapedProject(config("'no\\. \\d+'"));
  const recorded = await project.run(['run', '--cassettes', 'record'], { SYSTEM: 'You are no. 17.' });
  expect(recorded.exitCode, recorded.stderr).toBe(0);
  const missed = await project.run(['run', '--cassettes', 'replay'], { SYSTEM: 'You were no. 18.' });
  expect(missed.exitCode).toBe(3);
  expect(missed.stdout).toContain('ignored in this request (`cassettes.ignore`): "no. 18"');
});

test('repeats have recordings of their own, and the same pass rate', async () => {
  project = await createTapedProject({
    ...FILES,
    'weather.eval.yaml': `tests:\n${PARIS.replace('21 degrees', '"answer [135]"').replace('contains', 'regex')}`,
  });
  const summary = (text: string): string => /Tests .*|Attempts .*/.exec(text)![0];
  const recorded = await project.run(['run', '--cassettes', 'record', '--repeats', '5']);
  const replayed = await project.run(['run', '--cassettes', 'replay', '--repeats', '5']);
  expect(recorded.exitCode).toBe(1);
  expect(replayed.exitCode).toBe(1);
  expect(summary(replayed.stdout)).toBe(summary(recorded.stdout));
  expect(recorded.stdout).toContain('3');
  const [text] = Object.values(project.cassettes());
  expect(text!.match(/"repeat": \d/g)).toEqual([1, 2, 3, 4, 5].map((repeat) => `"repeat": ${repeat}`));
  // A run with fewer repeats replaces them all.
  await project.run(['run', '--cassettes', 'record']);
  expect(Object.values(project.cassettes())[0]!.match(/"repeat": \d/g)).toEqual(['"repeat": 1']);
});

test('two tests that share an id in two files do not share a cassette', async () => {
  project = await createTapedProject({
    ...FILES,
    'a/weather.eval.yaml': `tests:\n${ROME.replace('id: rome', 'id: paris')}`,
  });
  expect((await project.run(['run', '--cassettes', 'record'])).exitCode).toBe(0);
  expect(Object.keys(project.cassettes())).toEqual([
    'a/weather.eval.yaml/paris@default.json',
    'weather.eval.yaml/paris@default.json',
  ]);
  expect((await project.run(['run', '--cassettes', 'replay'])).exitCode).toBe(0);
});

test('a call that failed and was retried is not kept', async () => {
  let calls = 0;
  project = await createTapedProject(
    {
      ...FILES,
      'agent.mjs': FETCH_AGENT.replace(
        'const message = await ask(messages);',
        'const message = await ask(messages).catch(() => ask(messages)).catch(() => ask(messages));',
      ),
    },
    () => (++calls === 1 ? { status: 429 } : calls === 2 ? { fault: 'reset' } : { text: '21 degrees' }),
  );
  expect((await project.run(['run', '--cassettes', 'record'])).exitCode).toBe(0);
  expect(calls).toBe(3);
  const [text] = Object.values(project.cassettes());
  expect(text!.match(/"status": \d+/g)).toEqual(['"status": 200']);
  expect((await project.run(['run', '--cassettes', 'replay'])).exitCode).toBe(0);
});

test('an attempt that could not reach its model leaves the cassette unchanged', async () => {
  let isDown = false;
  project = await createTapedProject(
    {
      ...FILES,
      'assay.config.yaml':
        'targets: [{ name: default, provider: openai, api: chat, model: m, max_retries: 0 }]',
    },
    () => (isDown ? { status: 500 } : { text: '21 degrees' }),
  );
  expect((await project.run(['run', '--cassettes', 'record', '--retry', '0'])).exitCode).toBe(0);
  const before = project.cassettes();
  isDown = true;
  const { exitCode, stderr } = await project.run(['run', '--cassettes', 'record', '--retry', '0']);
  expect(exitCode, stderr).toBe(3);
  expect(stderr).toContain('not_recorded');
  expect(project.cassettes()).toEqual(before);
});

test('an agent without model calls needs no cassette', async () => {
  project = await createTapedProject({ ...FILES, 'agent.mjs': 'export default () => "21 degrees"' });
  for (const mode of ['record', 'new', 'replay'])
    expect((await project.run(['run', '--cassettes', mode])).exitCode).toBe(0);
  expect(project.cassettes()).toEqual({});
});

test('while replaying, an agent reaches no other machine unless the config allows it', async () => {
  // A name that is not of this machine, and leads to it all the same.
  const server = createServer((_, response) => response.end('pong')).listen(0, '0.0.0.0');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const agent = `
import { networkInterfaces } from 'node:os';
const own = Object.values(networkInterfaces()).flat().find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
export default async () => {
  try { return await (await fetch('http://' + (own ?? '127.0.0.1') + ':${port}/tool')).text() + ' 21 degrees' }
  catch (error) { return String(error.cause) + ' 21 degrees' }
};
`;
  project = await createTapedProject({ ...FILES, 'agent.mjs': agent });
  const { stderr, exitCode } = await project.run([
    'run',
    '--cassettes',
    'replay',
    '--reporter',
    'terminal',
    '--reporter',
    'json=out.json',
  ]);
  expect(exitCode, stderr).toBe(0);
  const output = (
    JSON.parse(project.read('out.json')) as {
      readonly results: readonly { readonly steps: readonly { readonly output: string }[] }[];
    }
  ).results[0]!.steps[0]!.output;
  if (!output.startsWith('pong')) {
    expect(output).toContain('Assay replays cassettes and opens no connection to');
    expect(stderr).toContain('connection_refused');
  }
  server.close();
});

test('while replaying, no model call reaches a model, whether before a step, after the reply, or outside any attempt', async () => {
  const late = `
import { createServer } from 'node:http';
const call = (content) => fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
  method: 'POST', headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
}).then((response) => response.json(), String);
await call('at the start');
createServer(async (request, response) => {
  const said = await call('asked');
  response.end(JSON.stringify({ output: said.choices?.[0].message.content ?? 'nothing' }));
  void call('after the reply');
}).listen(Number(process.argv[2]), '127.0.0.1');
`;
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const config = `targets: [{ name: default, url: "http://127.0.0.1:${port}/", start: [node, late.mjs, "${port}"] }]`;
  project = await createTapedProject({ ...FILES, 'assay.config.yaml': config, 'late.mjs': late }, () => ({
    text: '21 degrees',
  }));
  expect((await project.run(['run', '--cassettes', 'record'])).exitCode).toBe(0);
  const asked = project.server.requests.length;
  expect(asked).toBeGreaterThanOrEqual(2);
  const replayed = await project.run(['run', '--cassettes', 'replay']);
  expect(replayed.exitCode, replayed.stdout + replayed.stderr).toBe(0);
  expect(project.server.requests).toHaveLength(asked);
});

test('a call that may belong to any test is refused while replaying', async () => {
  const agent = `
const waiting = [];
// One loop for all tests: whose a call is cannot be told.
const loop = (async () => {
  for (;;) {
    // Until both tests wait.
    while (waiting.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    for (const { input, answer } of waiting.splice(0)) answer(await ask(input));
  }
})();
const ask = (content) => fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
  method: 'POST', headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
}).then(async (response) => (await response.json()).choices?.[0].message.content ?? 'nothing', String);
export const workers = 4;
export default (input) => new Promise((answer) => waiting.push({ input, answer }));
`;
  project = await createTapedProject(
    { ...FILES, 'agent.mjs': agent, 'weather.eval.yaml': `tests:\n${PARIS}${ROME}` },
    () => ({ text: '21 degrees' }),
  );
  const replayed = await project.run(['run', '--cassettes', 'replay'], {}, () => {
    // A process of its own: its end also ends the loop.
  });
  expect(replayed.exitCode, replayed.stdout).toBe(3);
  expect(replayed.stdout).toContain('cassette error: Assay cannot tell which test a model call belongs to');
  expect(project.server.requests).toHaveLength(0);
});

test('cassettes are not written through a link out of the project', async () => {
  const elsewhere = createProject({});
  project = await createTapedProject(FILES);
  symlinkSync(elsewhere.path, join(project.path, 'cassettes'));
  const { exitCode, stdout, stderr } = await project.run(['run', '--cassettes', 'record']);
  expect(stdout + stderr).toContain(`${join(project.path, 'cassettes')} is a link out of the project`);
  expect(exitCode, stdout + stderr).toBe(2);
  expect(readdirSync(elsewhere.path)).toEqual(['package.json']);
  elsewhere.remove();
});
