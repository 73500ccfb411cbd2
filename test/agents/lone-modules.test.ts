import { expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

const COUNTING = 'let count = 0; const agent = () => String(++count);';

test.each([
  `${COUNTING} export { agent };`,
  `${COUNTING} export default agent;`,
  `${COUNTING} export default { agent };`,
  `${COUNTING} export { agent, agent as 'module.exports' };`,
  `await undefined; ${COUNTING} export { agent };`,
  `\uFEFF#!/usr/bin/env node\n${COUNTING} export { agent };`,
])('a module alone is loaded anew for each file: %s', async (text) => {
  const { exitCode, stdout } = await runThreeFiles({ 'agent.mjs': text });
  expect(stdout).toContain('3 passed (3)');
  expect(exitCode).toBe(0);
});

test('what a later instance throws is an error of the tests of its file', async () => {
  const { exitCode, stdout } = await runThreeFiles({
    'agent.mjs': `${COUNTING}\nif ((globalThis.loaded = (globalThis.loaded ?? 0) + 1) === 2) throw new Error('boom');\nexport { agent };`,
  });
  expect(stdout).toContain('1 errored, 2 passed (3)');
  expect(stdout).toMatch(/b\.test\.yaml[^]*boom[^]*agent\.mjs:2/);
  expect(exitCode).toBe(3);
});

test.each(["export { agent } from /* why */ './real.mjs';", "export { agent } from// why\n'./real.mjs';"])(
  'a module that exports from another one is loaded with it, for each file: %s',
  async (text) => {
    const { exitCode, stdout } = await runThreeFiles({
      'agent.mjs': `${text}\n`,
      'real.mjs': 'let count = 0;\nexport const agent = () => String(++count);\n',
    });
    expect(stdout).toContain('3 passed (3)');
    expect(exitCode).toBe(0);
  },
);

async function runThreeFiles(files: Readonly<Record<string, string>>) {
  const suites = ['a', 'b', 'c'].map((name) => [
    `${name}.test.yaml`,
    `- {id: ${name}, input: x, assert: {output.equals: "1"}}\n`,
  ]);
  const project = createProject({ ...files, ...Object.fromEntries(suites) });
  const result = await runCli(['run', '--agent', './agent.mjs'], { cwd: project.path });
  project.remove();
  return result;
}
