import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { effort } from '../effort.ts';
import { createProject, startCli } from '../project.ts';
import { trackProcesses } from '../track-processes.ts';
import { createProbe } from './probe.ts';
import { listen } from '../servers/listen.ts';

/** What contributing/reliability.md promises for two agents at once: when what came is an error, and when it is cut and recorded. */
const ERROR_BOUND_MB = 200;
const CUT_BOUND_MB = 600;
const MB = 1024 * 1024;
const FLOOD = 100 * MB;

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** Two at once. */
const COUNT = effort({ short: 2, long: 4 });
const TESTS = Array.from(
  { length: COUNT },
  (_, index) => `- {id: t${index}, input: hi, assert: {output.equals: "x"}}\n`,
).join('');

const PYTHON = `
import os
def agent(input_text, memory):
    mode = os.environ['MODE']
    for _ in range(1600):
        if mode == 'stdout': os.write(1, b'x' * 65536)
        if mode == 'stderr': os.write(2, b'x' * 65536)
        if mode == 'print': print('x' * 65536)
    return {'output': 'x' * (${FLOOD} if mode == 'reply' else 1)}
`;

const FUNCTION = `
export function agent() {
  for (let index = 0; index < 1600; index++) console.log('x'.repeat(65536));
  return 'x';
}`;

const CONFIG = `
targets:
  - {name: file, command_template: "head -c ${FLOOD} /dev/zero > {OUTPUT_FILE}"}
  - {name: template, command_template: "head -c ${FLOOD} /dev/zero"}
`;

async function run(args: readonly string[], env: Record<string, string> = {}) {
  const project = createProject({
    'a.test.yaml': TESTS,
    'agent.py': PYTHON,
    'agent.mjs': FUNCTION,
    'assay.config.yaml': CONFIG,
    'stderr.sh': `head -c ${FLOOD} /dev/zero >&2; echo x`,
  });
  cleanUps.push(() => project.remove());
  const probe = createProbe(project.path);
  const tracked = trackProcesses();
  const { exitCode, stdout, stderr } = await startCli(['run', '--workers', '2', ...args], {
    cwd: project.path,
    env: { ...probe.env, ...tracked.env, ...env },
  });
  return { exitCode, stdout, stderr, probe: probe.read(), orphans: await tracked.orphans() };
}

test.each([
  ['a program on stdout', ['--agent', `cmd: head -c ${FLOOD} /dev/zero`], 'printed more than 10 MB'],
  ['a shell line on stdout', ['--target', 'template'], 'printed more than 10 MB'],
  ['a shell line to its output file', ['--target', 'file'], 'wrote more than 10 MB to {OUTPUT_FILE}'],
])('100 MB of %s is an error of the test, and memory stays bounded', async (_, args, message) => {
  const { exitCode, stdout, probe, orphans } = await run(args);
  expect(exitCode).toBe(3);
  expect(stdout).toContain(message);
  expect(stdout).toContain(`${COUNT} errored`);
  expect(probe.maxRssMb).toBeLessThan(ERROR_BOUND_MB);
  expect(orphans).toEqual([]);
});

test('100 MB on stderr is cut, the reply counts, and memory stays bounded', async () => {
  const { exitCode, probe } = await run(['--agent', 'cmd: sh stderr.sh']);
  expect(exitCode).toBe(0);
  expect(probe.maxRssMb).toBeLessThan(CUT_BOUND_MB);
});

test.each(['stdout', 'stderr', 'print'])(
  '100 MB that a Python agent writes to %s is cut, the reply counts, and memory stays bounded',
  async (mode) => {
    const { exitCode, probe } = await run(['--agent', 'agent.py'], { MODE: mode });
    expect(exitCode).toBe(0);
    expect(probe.maxRssMb).toBeLessThan(CUT_BOUND_MB);
  },
);

test("a Python agent's reply of 100 MB is an error of the test, and memory stays bounded", async () => {
  const { exitCode, stdout, probe, orphans } = await run(['--agent', 'agent.py'], { MODE: 'reply' });
  expect(exitCode).toBe(3);
  expect(stdout).toContain('returned more than 10 MB');
  expect(probe.maxRssMb).toBeLessThan(ERROR_BOUND_MB);
  expect(orphans).toEqual([]);
});

test('100 MB that a function prints is cut, the reply counts, and memory stays bounded', async () => {
  const { exitCode, probe } = await run(['--agent', './agent.mjs']);
  expect(exitCode).toBe(0);
  expect(probe.maxRssMb).toBeLessThan(CUT_BOUND_MB);
});

test('a response of 100 MB is an error of the test, is not read to its end, and memory stays bounded', async () => {
  let sent = 0;
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    let left = FLOOD;
    const write = (): void => {
      while (left > 0 && !response.destroyed) {
        left -= chunk.length;
        sent += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', write);
      }
      response.end();
    };
    write();
  });
  const url = await listen(server);
  cleanUps.push(() => void server.close());
  const { exitCode, stdout, probe } = await run(['--agent', `${url}/`]);
  expect(exitCode).toBe(3);
  expect(stdout).toContain('the response is longer than 10 MB');
  expect(probe.maxRssMb).toBeLessThan(ERROR_BOUND_MB);
  expect(sent).toBeLessThan(COUNT * FLOOD);
});
