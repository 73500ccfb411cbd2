import { expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

/* What test/warm-cli.cjs promises to the tests that use `runCli`. */

const SUITE = 'tests: [{ id: a, input: hi, expected_output: x, evaluators: [{ type: match }] }]\n';
/** The agent has a process of its own: its parent runs the command. */
const AGENT =
  'export default () => JSON.stringify([process.ppid, process.cwd(), process.env.NAME ?? null, process.env.LEFT ?? null]);\n';
const config = (line: string) =>
  `if ('left' in globalThis) process.env.LEFT = 'left';\n${line}\nexport default { agent: './agent.mjs' };\n`;

async function answer(line: string, env: Readonly<Record<string, string>> = {}) {
  const project = createProject({
    'a.test.yaml': SUITE,
    'agent.mjs': AGENT,
    'assay.config.mjs': config(line),
  });
  const { stdout, exitCode } = await runCli(['run', '--reporter', 'json'], {
    cwd: project.path,
    env: { ASSAY_ISOLATE: 'true', ...env },
  });
  project.remove();
  expect(exitCode).toBe(1);
  const { results } = JSON.parse(stdout) as { results: [{ steps: [{ output: string }] }] };
  const [pid, cwd, name, left] = JSON.parse(results[0].steps[0].output) as unknown[];
  return { pid, isThere: cwd === project.path, name, left };
}

test('commands that leave nothing behind share a process, each with its own folder and environment', async () => {
  const first = await answer('', { NAME: 'first' });
  const second = await answer('');
  expect(first).toMatchObject({ isThere: true, name: 'first' });
  expect(second).toEqual({ pid: first.pid, isThere: true, name: null, left: null });
});

test.each([
  ['a timer', 'setInterval(() => {}, 1000);'],
  ['a global', 'globalThis.left = 1;'],
  ['another fetch', 'globalThis.fetch = () => {};'],
  ['a method of every list', 'Array.prototype.left = () => {};'],
  ['a server', "import { createServer } from 'node:http'; createServer().listen(0);"],
])('a process with %s that a config left is not used again', async (_what, line) => {
  const { pid } = await answer(line);
  expect(await answer('')).toMatchObject({
    isThere: true,
    left: null,
    pid: expect.not.toSatisfy((id) => id === pid),
  });
});

test('a process that ends is a result like any other, and the next command gets a new one', async () => {
  const project = createProject({
    'a.test.yaml': SUITE,
    'assay.config.mjs': 'process.kill(process.pid, "SIGKILL");\n',
  });
  const { exitCode } = await runCli(['run'], { cwd: project.path });
  project.remove();
  expect(exitCode).toBeNull();
  expect(await answer('')).toMatchObject({ isThere: true });
});

test('commands at the same time have a process each', async () => {
  const [one, two] = await Promise.all([answer(''), answer('')]);
  expect(one.pid).not.toBe(two.pid);
});

test('what Node reads at its start is refused', () => {
  const options = { cwd: '/', env: { NODE_OPTIONS: '--no-warnings' } };
  expect(() => runCli(['--version'], options)).toThrow(
    'NODE_OPTIONS is read when the process starts: use startCli',
  );
});
