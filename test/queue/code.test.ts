import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createProject } from '../project.ts';
import { startRedis, type TestRedis } from '../servers/redis-server.ts';
import { Cluster, inputs, suite } from './cluster.ts';

let redis: TestRedis;
let cluster: Cluster;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
afterEach(() => cluster.stop());

test('a worker with different code does not join, and both sides name the worker and the difference', async () => {
  const files = {
    'a.test.yaml': suite(inputs('t', 4)),
    'assay.config.yaml': 'agent: ./agent.mjs\n',
    'agent.mjs': `import { say } from './lib/say.js';\nexport const agent = (input) => say(input);`,
    'lib/say.js': `let more;
try { more = (await import('./more.mjs')).more; } catch { more = ''; }
export const say = (input) => 'You said ' + input + more;`,
  };
  cluster = new Cluster(`${redis.url}/0`, files);
  // None of them has a commit to compare, as in a dirty tree of the same commit.
  const strangers: readonly (readonly [Record<string, string>, string])[] = [
    [{ 'lib/say.js': `export const say = (input) => input;` }, 'lib/say.js differs'],
    [{ 'agent.mjs': `export const agent = (input) => input;` }, 'agent.mjs differs'],
    [{ 'assay.config.yaml': 'agent: ./agent.mjs\nsecrets: [A]\n' }, 'assay.config.yaml differs'],
    [{ 'lib/more.mjs': `export const more = '!';` }, 'lib/more.mjs is only on this machine'],
  ];
  const projects = strangers.map(([changed]) => createProject({ ...files, ...changed }));
  const workers = projects.map(({ path }) =>
    cluster.start(['worker', '--queue', cluster.queue, '--concurrency', '1'], { cwd: path }),
  );
  const run = cluster.start(['run', 'a.test.yaml', '--queue', cluster.queue, '--worker-wait', '60s']);
  for (const [index, worker] of workers.entries()) await worker.says(strangers[index]![1]);
  for (const [, difference] of strangers) await run.says(difference);
  for (const worker of workers) {
    const [, id] = /assay worker: (\S+) waits for runs/.exec(worker.stderr)!;
    expect(run.stderr).toContain(`the worker ${id} does not join`);
  }
  expect(cluster.records()).toEqual([]);
  cluster.worker();
  expect(await run.ended).toBe(0);
  for (const { remove } of projects) remove();
}, 120_000);

test('a worker that has loaded code into its own process, and whose code has changed since, does not join a new run', async () => {
  cluster = new Cluster(`${redis.url}/1`, {
    'a.test.yaml': suite(['t0']),
    'agent.mjs': `import { say } from './say.mjs';\nexport const agent = (input) => say(input);`,
    'say.mjs': `export const say = (input) => 'You said ' + input;`,
  });
  const env = { ASSAY_ISOLATE: 'false' };
  const worker = cluster.start(['worker', '--queue', cluster.queue], { env });
  expect(await cluster.run('a.test.yaml').ended).toBe(0);
  writeFileSync(join(cluster.path, 'say.mjs'), `export const say = () => 'something else';`);
  const run = cluster.run('a.test.yaml');
  await worker.says('say.mjs changed after this worker loaded it: restart the worker');
  await run.says('say.mjs changed after this worker loaded it');
  cluster.worker();
  expect(await run.ended).toBe(1);
}, 120_000);

test('a worker runs the code of each run, also if it has changed since the last one', async () => {
  cluster = new Cluster(`${redis.url}/4`, {
    'a.test.yaml': suite(['t0']),
    'agent.mjs': `import { say } from './say.mjs';\nexport const agent = (input) => say(input);`,
    'say.mjs': `export const say = (input) => 'You said ' + input;`,
  });
  cluster.worker();
  expect(await cluster.run('a.test.yaml').ended).toBe(0);
  writeFileSync(join(cluster.path, 'say.mjs'), `export const say = () => 'something else';`);
  expect(await cluster.run('a.test.yaml').ended).toBe(1);
}, 120_000);

test("a worker with another version of an agent's program does not join", async () => {
  const files = { 'a.test.yaml': suite(['t0']), 'run.sh': 'exec node reply.mjs\n' };
  const reply = `process.stdin.on('data', (text) => console.log('You said ' + JSON.parse(text).input));`;
  cluster = new Cluster(`${redis.url}/2`, { ...files, 'reply.mjs': reply });
  const other = createProject({ ...files, 'reply.mjs': `console.log('You said t0');` });
  const agent = ['--agent', 'cmd: sh run.sh', '--queue', cluster.queue];
  const stranger = cluster.start(['worker', ...agent], { cwd: other.path });
  const run = cluster.start(['run', ...agent, '--worker-wait', '60s']);
  await stranger.says('reply.mjs differs');
  await run.says('reply.mjs differs');
  cluster.start(['worker', ...agent]);
  expect(await run.ended).toBe(0);
  other.remove();
}, 120_000);

test('a worker with a different file of a check does not join', async () => {
  const files = {
    'a.eval.yaml':
      'evalcases: [{id: a, expected_outcome: x, input: x, evaluators: [{type: is_json, schema: shape.json}]}]\n',
    'assay.config.yaml': `targets: [{name: default, provider: mock, response: '{"a": 1}'}]\n`,
    'shape.json': '{"type": "object"}',
  };
  cluster = new Cluster(`${redis.url}/3`, files);
  const stranger = createProject({ ...files, 'shape.json': '{"type": "array"}' });
  const worker = cluster.start(['worker', '--queue', cluster.queue], { cwd: stranger.path });
  const run = cluster.start(['run', 'a.eval.yaml', '--queue', cluster.queue, '--worker-wait', '60s']);
  await worker.says('differs from where the run was started');
  cluster.start(['worker', '--queue', cluster.queue]);
  expect(await run.ended).toBe(0);
  stranger.remove();
}, 60_000);
