import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Summary } from '../../src/base/model/summary.ts';
import { createProject, runCli, type Project } from '../project.ts';

/** How many of 4 trials passed, by task, as in the published trajectories of 50 tasks: 10 always, 4 three times, and so on. */
const PASSES = [...fill(10, 4), ...fill(4, 3), ...fill(10, 2), ...fill(12, 1), ...fill(14, 0)];

function fill(tasks: number, passes: number): readonly number[] {
  return Array.from({ length: tasks }, () => passes);
}

let project: Project;
beforeAll(() => {
  const results = PASSES.flatMap((passes, task) =>
    [0, 1, 2, 3].map((trial) => ({
      task_id: task,
      trial,
      reward: trial < passes ? 1 : 0,
      info: { task: { instruction: `Task ${task}`, actions: [{ name: 'book', kwargs: {} }] } },
      traj: [
        { role: 'system', content: 'Policy' },
        { role: 'user', content: `I am ${task}` },
        { role: 'assistant', content: `Hello ${trial}` },
        { role: 'user', content: '###STOP###' },
      ],
    })),
  );
  project = createProject({ 'results.json': JSON.stringify(results, null, 1) });
});
afterAll(() => project.remove());

test('one command gives pass^k of published results, with the standard error clustered by task', async () => {
  const { stdout, exitCode } = await runCli(['import', 'results.json', '--reporter', 'json'], {
    cwd: project.path,
  });
  const { summary } = JSON.parse(stdout) as { readonly summary: Summary };
  expect(summary).toMatchObject({ tests: 50, attempts: 200, not_graded: 50, passed: 0 });
  // Scores of others decide nothing.
  expect(exitCode).toBe(0);
  const [reward] = summary.foreign_scores!;
  expect(reward).toMatchObject({ name: 'reward', attempts: 200, mean: 0.42 });
  expect(reward!.pass_hat_k!.map(({ value }) => Number(value.toFixed(3)))).toEqual([0.42, 0.273, 0.22, 0.2]);
  expect(reward!.pass_rate!.standard_error).toBeCloseTo(0.0522, 4);
});

test('people read the same numbers', async () => {
  const { stdout } = await runCli(['import', 'results.json'], { cwd: project.path });
  expect(stdout).toContain(
    'reward of another tool: 84 of 200 passed, standard error 0.0522 clustered by test',
  );
  expect(stdout).toContain('pass^1 42%, pass^2 27.3%, pass^3 22%, pass^4 20%');
  expect(stdout).toContain('decides nothing here');
});
