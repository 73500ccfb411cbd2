import { expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

const WAITING = `export const agent = async (input) => {
  await new Promise((done) => setTimeout(done, 1600));
  return input;
};`;

test('a run that waited for one test after another suggests how to run several at once', async () => {
  const project = createProject({
    'waiting.mjs': WAITING,
    'saying.mjs': `${WAITING}\nexport const workers = 1;`,
    'blocking.mjs': `export const agent = async (input) => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1600);
      return input;
    };`,
    'a.test.yaml': ['a', 'b']
      .map((id) => `- { id: ${id}, input: x, assert: { output.equals: x } }`)
      .join('\n'),
  });
  const run = async (agent: string, ...args: string[]) => {
    const { stdout, stderr } = await runCli(['run', '--agent', agent, '--no-record', ...args], {
      cwd: project.path,
    });
    return stdout + stderr;
  };
  const [advised, ...others] = await Promise.all([
    run('./waiting.mjs'),
    run('./waiting.mjs', '--workers', '1'),
    run('./waiting.mjs', '--grep', '^a$'),
    run('./waiting.mjs', '--reporter', 'json'),
    run('./saying.mjs'),
    run('./blocking.mjs'),
  ]);
  project.remove();
  expect(advised!.split('export const workers = 8')).toHaveLength(2);
  expect(advised).toMatch(/waited \d+\.\d s for the agent \.\/waiting\.mjs/);
  for (const other of others) {
    expect(other).toContain('passed');
    expect(other).not.toContain('export const workers');
  }
});
