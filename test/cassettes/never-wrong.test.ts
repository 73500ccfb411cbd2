import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createTapedProject, FETCH_AGENT, type TapedProject } from './taped-project.ts';

let project: TapedProject;
afterEach(() => project.remove());

const ASK = `
export const ask = (content, model = 'm') => fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
  method: 'POST', headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ model, messages: [{ role: 'user', content }] }),
});
export const text = async (response) => (await response.json()).choices?.[0].message.content ?? 'nothing';
`;
const suite = (...ids: readonly string[]): string =>
  `tests:\n${ids.map((id) => `  - { id: ${id}, input: ${id}, assert: [{ type: regex, value: . }] }\n`).join('')}`;
const files = (agent: string, tests = suite('a', 'b', 'c', 'd')): Readonly<Record<string, string>> => ({
  'assay.config.yaml': 'agent: ./agent.mjs\n',
  'ask.mjs': ASK,
  'agent.mjs': `import { ask, text } from './ask.mjs';\n${agent}`,
  'suite.eval.yaml': tests,
});
const run = async (...args: readonly string[]) => project.run(['run', ...args]);

test('if all tests share a queue, recording and replaying are errors, whatever the agent does with it', async () => {
  const pump = `
const waiting = [];
let pump;
const work = async () => {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    for (const { input, answer } of waiting.splice(0)) answer(await ask(input).then(text).catch(() => 'Sorry'));
  }
};
export const workers = 4;
export default (input) => new Promise((answer) => { waiting.push({ input, answer }); pump ??= work(); });
`;
  project = await createTapedProject(files(pump), () => ({ text: 'fine' }));
  const recorded = await run('--cassettes', 'record');
  expect(recorded.exitCode, recorded.stdout).toBe(3);
  expect(recorded.stderr).toContain('not_recorded');
  const asked = project.server.requests.length;
  const replayed = await run('--cassettes', 'replay');
  expect(replayed.exitCode, replayed.stdout).toBe(3);
  expect(project.server.requests).toHaveLength(asked);
});

test('a pass rate never outweighs an unrecorded call', async () => {
  const agent =
    "export default async (input) => text(await ask(input + (input === 'd' ? (process.env.X ?? '') : '')))";
  project = await createTapedProject(files(agent), () => ({ text: 'fine' }));
  expect((await run('--cassettes', 'record')).exitCode).toBe(0);
  const args = ['run', '--cassettes', 'replay', '--min-pass-rate', '0.5', '--min-coverage', '0.5'];
  expect((await project.run(args)).exitCode).toBe(0);
  expect((await project.run(args, { X: 'changed' })).exitCode).toBe(3);
});

test('moved recordings, and recordings of another step, are refused', async () => {
  const agent =
    "export default async (input) => text(await ask('Same?')) + (input === 'two' ? text(await ask('Two?')) : '')";
  const steps =
    'steps:\n  - { input: one, assert: { output.matches: . } }\n  - { input: two, assert: { output.matches: . } }\n';
  let calls = 0;
  project = await createTapedProject({ ...files(agent), 'steps.test.yaml': steps }, () => ({
    text: `answer ${++calls}`,
  }));
  expect((await run('steps.test.yaml', '--cassettes', 'record')).exitCode).toBe(0);
  const path = join(project.path, 'cassettes/steps.test.yaml/steps@default.json');
  const before = readFileSync(path, 'utf8');
  const cassette = JSON.parse(before) as { repeats: { agent: unknown[] }[] };
  cassette.repeats[0]!.agent.reverse();
  writeFileSync(path, JSON.stringify(cassette));
  expect((await run('steps.test.yaml', '--cassettes', 'replay')).stdout).toContain(
    'recordings were moved or removed',
  );
  writeFileSync(path, before);
  expect((await run('steps.test.yaml', '--cassettes', 'replay')).exitCode).toBe(0);
  // Step 2 does not get the answer of step 1, which is the same request.
  const code = readFileSync(join(project.path, 'agent.mjs'), 'utf8');
  writeFileSync(
    join(project.path, 'agent.mjs'),
    code.replace(
      "text(await ask('Same?'))",
      "(input === 'one' ? 'skipped' : await text(await ask('Same?')) + await text(await ask('Same?')))",
    ),
  );
  const skipped = await run('steps.test.yaml', '--cassettes', 'replay');
  expect(skipped.exitCode, skipped.stdout).toBe(3);
});

test('a new recording replaces all repeats, and a failed one keeps the old', async () => {
  let calls = 0;
  let status: number | undefined;
  const agent = `
export default async (input) => {
  if (process.env.NO_KEY) throw new Error('OPENAI_API_KEY is missing');
  const response = await ask(input);
  return response.ok ? text(response) : 'Sorry';
};`;
  project = await createTapedProject(files(agent, suite('a')), () =>
    status === undefined ? { text: `answer ${++calls}` } : { status },
  );
  expect((await run('--cassettes', 'record', '--repeats', '3')).exitCode).toBe(0);
  expect((await run('--cassettes', 'record')).exitCode).toBe(0);
  const [text] = Object.values(project.cassettes());
  expect(text!.match(/"repeat": \d/g)).toEqual(['"repeat": 1']);
  expect(text).toContain('answer 4');
  const failed = await project.run(['run', '--cassettes', 'record'], { NO_KEY: '1' });
  expect(failed.exitCode).toBe(3);
  status = 401;
  const refused = await run('--cassettes', 'record');
  expect(refused.stderr).toContain('was not written: the model API refused the key');
  expect(Object.values(project.cassettes())).toEqual([text]);
});

test('a resumed run keeps its mode', async () => {
  project = await createTapedProject(files('export default async (input) => text(await ask(input))'), () => ({
    text: 'fine',
  }));
  expect((await run('--cassettes', 'record')).exitCode).toBe(0);
  const { exitCode, stderr } = await run('--cassettes', 'replay', '--resume');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('was started with --cassettes record, not replay');
});

test('with --strict an unused recording is an error', async () => {
  project = await createTapedProject(
    files('export default async (input) => process.env.CONST ?? text(await ask(input))', suite('a')),
    () => ({ text: 'fine' }),
  );
  expect((await run('--cassettes', 'record')).exitCode).toBe(0);
  expect((await run('--cassettes', 'replay', '--strict')).exitCode).toBe(0);
  const { exitCode, stdout } = await project.run(['run', '--cassettes', 'replay', '--strict'], {
    CONST: 'x',
  });
  expect(exitCode).toBe(3);
  expect(stdout).toContain('cassette error:');
});

test('a call that cannot be stored is reported and never replayed as something else', async () => {
  const agent = `
export default async (input) => {
  const response = await fetch(process.env.OPENAI_BASE_URL + '/audio/speech', { method: 'POST', body: '{}' });
  return Buffer.from(await response.arrayBuffer()).toString('hex');
};`;
  project = await createTapedProject(files(agent, suite('a')));
  // The scripted server knows no such path: its answer is text.
  expect((await run('--cassettes', 'record')).stderr).not.toContain('not_recorded');
  const { createServer } = await import('node:http');
  const server = createServer((request, response) => {
    request
      .resume()
      .on('end', () => response.setHeader('content-type', 'audio/mpeg').end(Buffer.from('fffb9044', 'hex')));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as { readonly port: number }).port}/v1`;
  const recorded = await project.run(['run', '--cassettes', 'record'], { OPENAI_BASE_URL: url });
  expect(recorded.stderr).toContain('the response is not text');
  const replayed = await project.run(['run', '--cassettes', 'replay'], { OPENAI_BASE_URL: url });
  expect(replayed.exitCode, replayed.stdout).toBe(3);
  server.close();
});

test('a failed call is left out only if it was retried later in the same step', async () => {
  const agent = `
export default async (input) => {
  const [one, two] = await Promise.all([ask('Same?'), ask('Same?')]);
  return [one.status, two.status].sort().join() + (one.ok ? await text(one) : '') + (two.ok ? await text(two) : '');
};`;
  let calls = 0;
  project = await createTapedProject(files(agent, suite('a')), () =>
    ++calls === 1 ? { status: 500 } : { text: 'fine' },
  );
  expect((await run('--cassettes', 'record')).exitCode).toBe(0);
  expect(Object.values(project.cassettes())[0]!.match(/"status": \d+/g)).toHaveLength(2);
  const replayed = await run('--cassettes', 'replay');
  expect(replayed.exitCode, replayed.stdout).toBe(0);
});

test('two configs that disagree about cassettes cannot share a run', async () => {
  project = await createTapedProject({
    ...files('export default async (input) => text(await ask(input))', suite('a')),
    'agent.mjs': FETCH_AGENT,
    'z/assay.config.yaml': 'agent: ../agent.mjs\ncassettes: { mode: replay }\n',
    'z/other.eval.yaml': suite('b'),
  });
  const { exitCode, stderr } = await run('suite.eval.yaml', 'z/other.eval.yaml');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('other_config');
});
