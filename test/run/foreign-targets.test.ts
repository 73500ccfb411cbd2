import { expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

const SUITE = 'evalcases:\n  - id: a\n    input: hi\n    evaluators: [{ type: contains, value: hi }]\n';

test.each(['[{ host: prom }]', '[foo]', '[null]'])(
  'a targets.yaml about something else, %s, is an error in plain words',
  async (targets) => {
    const project = createProject({ 'targets.yaml': `targets: ${targets}\n`, 'a.eval.yaml': SUITE });
    const { stdout, stderr, exitCode } = await runCli(['run', 'a.eval.yaml'], { cwd: project.path });
    project.remove();
    expect(exitCode).toBe(2);
    expect(stdout + stderr).not.toContain('a bug in Assay');
    expect(stdout + stderr).toMatch(/a target needs one of|which agent should run/);
  },
);

const FOREIGN = 'targets: [{ host: prom }]\n';
const OWN = 'targets: [{ name: default, provider: mock, response: hi }]\n';

test.each([
  ['the same folder', { 'targets.yaml': FOREIGN, '.agentv/targets.yaml': OWN }],
  [
    'beside a config',
    { 'targets.yaml': FOREIGN, '.agentv/targets.yaml': OWN, 'assay.config.yaml': 'workers: 2\n' },
  ],
  ['a folder further up', { 'evals/targets.yaml': FOREIGN, 'targets.yml': OWN }],
  ['several of them', { 'evals/targets.yaml': FOREIGN, 'targets.yaml': FOREIGN, '.agentv/targets.yml': OWN }],
])('a targets.yaml about something else does not hide another one: %s', async (_, files) => {
  const project = createProject({ ...files, 'evals/a.eval.yaml': SUITE });
  const { stdout, stderr, exitCode } = await runCli(['run', 'evals'], { cwd: project.path });
  project.remove();
  expect([exitCode, stdout + stderr]).toEqual([0, expect.stringContaining('config_not_read') as string]);
});

test('only the nearest targets file that is about agents counts', async () => {
  const other = OWN.replace('response: hi', 'response: ho');
  const project = createProject({
    'evals/.agentv/targets.yaml': OWN,
    'targets.yaml': `${other}typo: 1\n`,
    'evals/a.eval.yaml': SUITE,
  });
  const { stdout, stderr, exitCode } = await runCli(['run', 'evals'], { cwd: project.path });
  project.remove();
  expect([exitCode, stdout + stderr]).toEqual([0, expect.not.stringContaining('typo') as string]);
});
