import { expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

const SUITE = 'evalcases:\n  - id: a\n    input: hi\n    evaluators: [{ type: contains, value: hi }]\n';

test.each(['[{ host: prom }]', '[foo]', '[null]'])(
  'a targets.yaml about something else, %s, is a mistake in words',
  async (targets) => {
    const project = createProject({ 'targets.yaml': `targets: ${targets}\n`, 'a.eval.yaml': SUITE });
    const { stdout, stderr, exitCode } = await runCli(['run', 'a.eval.yaml'], { cwd: project.path });
    project.remove();
    expect(exitCode).toBe(2);
    expect(stdout + stderr).not.toContain('a defect of Assay');
    expect(stdout + stderr).toMatch(/a target needs one of|which agent should run/);
  },
);
