import type { ChildProcess } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { startRedis, type TestRedis } from '../servers/redis-server.ts';
import { createTapedProject, FETCH_AGENT, type TapedProject } from './taped-project.ts';

let project: TapedProject;
let redis: TestRedis | undefined;
afterEach(async () => {
  await project.remove();
  await redis?.stop();
});

const TESTS = Array.from(
  { length: 6 },
  (_, index) =>
    `  - { id: t${index}, input: Weather ${index}?, assert: [{ type: contains, value: 21 degrees }] }\n`,
);
const FILES = {
  'assay.config.yaml': 'agent: ./agent.mjs\n',
  'agent.mjs': FETCH_AGENT,
  'many.eval.yaml': `tests:\n${TESTS.join('')}`,
};

test('workers and shards replay from the files of their checkout', { timeout: 90_000 }, async () => {
  project = await createTapedProject(FILES);
  expect((await project.run(['run', '--cassettes', 'record', '--repeats', '2'])).exitCode).toBe(0);
  const asked = project.server.requests.length;
  await project.server.close();
  for (const shard of ['1/2', '2/2']) {
    const { exitCode, stdout } = await project.run([
      'run',
      '--cassettes',
      'replay',
      '--repeats',
      '2',
      '--shard',
      shard,
    ]);
    expect(exitCode, stdout).toBe(0);
  }
  redis = await startRedis();
  const children: ChildProcess[] = [];
  // Workers have no key either.
  const workers = [1, 2].map(() =>
    project.run(['worker', '--queue', redis!.url], { OPENAI_API_KEY: undefined }, (child) =>
      children.push(child),
    ),
  );
  const run = await project.run(['run', '--cassettes', 'replay', '--repeats', '2', '--queue', redis.url]);
  expect(run.exitCode, run.stdout + run.stderr).toBe(0);
  expect(run.stdout).toContain('6 passed');
  const missed = await project.run(['run', '--cassettes', 'replay', '--repeats', '3', '--queue', redis.url]);
  expect(missed.exitCode).toBe(3);
  expect(missed.stdout).toContain('has no repeat 3, only 1, 2');
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(workers);
  expect(project.server.requests).toHaveLength(asked);
});
