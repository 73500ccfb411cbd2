import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { effort } from '../effort.ts';
import { CLI, createProject, runCli } from '../project.ts';
import { startPostgres } from '../servers/postgres-server.ts';
import { startRedis, type TestRedis } from '../servers/redis-server.ts';
import { AGENT as AGENT_FILE, Cluster, inputs, recordSet, suite } from './cluster.ts';

const CASES = {
  'a.test.yaml': suite([...inputs('t', 30), 'wrong1', 'secret1']),
  'cases.jsonl': inputs('q', 30)
    .map((id, index) =>
      JSON.stringify({
        id,
        input: `${id} \u0000 \ud83d\ude00`,
        ...(index === 3 ? { skip: 'later' } : {}),
        evaluators: [{ type: 'contains', value: index === 4 ? 'absent' : id }],
      }),
    )
    .join('\n'),
  'cases.yaml': 'threshold: 0.5\ntags: [asked]\n',
};
const ARGS = ['a.test.yaml', 'cases.jsonl', '--repeats', '2'];
const AGENT = ['--agent', './agent.mjs'];
const ENV = { AGENT_API_KEY: 'sk-very-secret-0123456789' };

const servers = {
  redis: () => startRedis({ password: 'redis-secret-password' }),
  postgres: startPostgres,
};

describe.each(['redis', 'postgres'] as const)('workers on %s', (kind) => {
  let server: { readonly url: string; stop(): Promise<void> };
  let cluster: Cluster;
  const full = test.runIf(effort({ short: kind === 'redis', long: true }));
  // On Redis it is among the faults.
  const killed = test.runIf(effort({ short: false, long: kind === 'postgres' }));
  beforeAll(async () => {
    server = await servers[kind]();
  }, 120_000);
  afterAll(() => server.stop());
  afterEach(() => cluster.stop());

  test('give the same records, summary and exit code as a local run, and leak no secret', async () => {
    cluster = new Cluster(server.url, CASES);
    const local = await runCli(['run', ...ARGS, ...AGENT], { cwd: cluster.path, env: ENV });
    expect(local.exitCode).toBe(1);
    const localRecords = cluster.records();
    const workers = [1, 2].map(() => cluster.start(['worker', '--queue', server.url], { env: ENV }));
    const run = cluster.run(...ARGS);
    expect(await run.ended).toBe(1);
    const records = cluster.records().slice(localRecords.length);
    expect(records.length).toBe(123);
    expect(recordSet(records)).toEqual(recordSet(localRecords));
    expect(run.stdout.slice(run.stdout.indexOf('Tests'))).toContain('2 failed, 1 errored, 58 passed');
    const asked = new Set(cluster.calls().map(({ pid }) => pid));
    expect(workers.every(({ pid }) => asked.has(pid))).toBe(true);
    expect(asked.has(run.pid)).toBe(false);

    for (const worker of workers) worker.child.kill('SIGTERM');
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0]);
    const written = readdirSync(cluster.path, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:json|jsonl)$/.test(name))
      .map((name) => readFileSync(join(cluster.path, name), 'utf8'))
      .join('');
    const said = [run, ...workers].map(({ stdout, stderr }) => stdout + stderr).join('');
    expect(written + said).not.toContain('secret-password');
    expect(written + said).not.toContain(ENV.AGENT_API_KEY);
    expect(written).toContain(`"queue": "${kind}://127.0.0.1:`);
  }, 90_000);

  killed(
    'a worker killed with -9 in the middle: every attempt has one record all the same',
    async () => {
      cluster = new Cluster(server.url, { 'a.test.yaml': suite([...inputs('slow', 4), ...inputs('t', 20)]) });
      const victim = cluster.worker('--concurrency', '2');
      const run = cluster.run('a.test.yaml');
      await cluster.called('slow1');
      victim.child.kill('SIGKILL');
      cluster.worker('--concurrency', '4');
      expect(await run.ended).toBe(0);
      expect(cluster.records().map(({ verdict }) => verdict)).toEqual(Array(24).fill('passed'));
      expect(new Set(cluster.records().map(({ id }) => id)).size).toBe(24);
    },
    60_000,
  );

  full(
    'records larger than one value of the queue come in pieces',
    async () => {
      const size = effort({ short: 4_500_000, long: 9_000_000 });
      const noise = `
import { randomBytes } from 'node:crypto';
export const agent = (input) => ({ output: input + randomBytes(5_000_000).toString('hex').slice(0, ${size}) });`;
      cluster = new Cluster(server.url, { 'noise.mjs': noise, 'a.test.yaml': suite(['big']) });
      cluster.worker();
      const run = cluster.run('--agent', './noise.mjs', '--lost-after', '10s');
      expect(await run.ended).toBe(0);
      expect(cluster.records().map(({ steps }) => steps[0]!.output!.length)).toEqual([size + 3]);
    },
    90_000,
  );
});

describe('one queue', () => {
  let redis: TestRedis;
  let databases = 0;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  /** Each in its own database, without other runs. */
  const scenario = (
    name: string,
    body: (make: (files: Record<string, string>) => Cluster) => Promise<void>,
  ) =>
    test.concurrent(
      name,
      async () => {
        const clusters: Cluster[] = [];
        try {
          await body((files) => {
            clusters.push(new Cluster(`${redis.url}/${databases++}`, files));
            return clusters.at(-1)!;
          });
        } finally {
          for (const cluster of clusters) await cluster.stop();
        }
      },
      120_000,
    );

  scenario(
    'two coordinators at once, with a shard each: both end, and nothing is left on the queue',
    async (make) => {
      const cluster = make({ 'a.test.yaml': suite(inputs('t', 80)) });
      const workers = [cluster.worker('--concurrency', '4'), cluster.worker('--concurrency', '3')];
      const runs = ['1/2', '2/2'].map((shard) => cluster.run('a.test.yaml', '--shard', shard));
      expect(
        await Promise.all(runs.map(({ ended }) => ended)),
        runs.map(({ stderr }) => stderr).join('\n'),
      ).toEqual([0, 0]);
      expect(cluster.records().length).toBe(80);
      expect(cluster.calls().length).toBe(80);
      const names = readdirSync(join(cluster.path, '.assay', 'runs'));
      expect((await runCli(['merge', ...names], { cwd: cluster.path })).exitCode).toBe(0);
      expect(cluster.records().length).toBe(160);
      for (const worker of workers) worker.child.kill('SIGINT');
      expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0]);
      const client = new Redis(cluster.queue);
      const left = (await client.keys('*')).filter((key) => !key.startsWith('assay:runs:'));
      expect(left).toEqual([]);
      expect(await client.llen('assay:runs:wait')).toBe(0);
      client.disconnect();
    },
  );

  scenario('a worker that joins slowly uses all its slots for its first attempts', async (make) => {
    const cluster = make({ 'a.test.yaml': suite(inputs('held', 2)) });
    // With so much to look through, the first attempt arrives before the worker looks again.
    const runs = new Queue('runs', { connection: { url: cluster.queue }, prefix: 'assay' });
    await runs.addBulk(Array.from({ length: 20_000 }, () => ({ name: 'unknown', data: 'unknown' })));
    await runs.close();
    const run = cluster.run('a.test.yaml');
    await run.says('waiting for workers');
    cluster.worker('--concurrency', '2');
    await cluster.called('held0');
    await cluster.called('held1');
    cluster.release('held0', 'held1');
    expect(await run.ended).toBe(0);
  });

  scenario('many fast attempts go in batches', async (make) => {
    const fast = `export const agent = (input) => ({ output: input });`;
    const count = effort({ short: 700, long: 1500 });
    const cluster = make({ 'fast.mjs': fast, 'a.test.yaml': suite(inputs('f', count)) });
    cluster.worker('--concurrency', '4');
    const run = cluster.run('--agent', './fast.mjs', '--reporter', 'json');
    const client = new Redis(cluster.queue);
    await client.config('RESETSTAT');
    expect(await run.ended).toBe(0);
    // One by one, each would be added, finished and removed by a separate script. On a busy machine, other scripts say that it goes on.
    const [, scripts] = /cmdstat_evalsha:calls=(\d+)/.exec(await client.info('commandstats')) ?? [];
    expect(Number(scripts)).toBeLessThan(3 * count);
    const { results, summary } = JSON.parse(run.stdout) as { results: unknown[]; summary: object };
    expect(results.length).toBe(count);
    expect(summary).toMatchObject({ passed: count, failed: 0, error: 0 });
    client.disconnect();
  });

  scenario(
    'a worker with another file or another revision does not join, and both sides say so',
    async (make) => {
      const files = { 'a.test.yaml': suite(inputs('t', 6)), '.git/HEAD': 'a'.repeat(40) };
      const cluster = make(files);
      const others = [
        createProject({ 'agent.mjs': AGENT_FILE, 'a.test.yaml': suite(['t0']) }),
        createProject({ 'agent.mjs': AGENT_FILE, ...files, '.git/HEAD': 'b'.repeat(40) }),
      ];
      const [other, old] = others.map(({ path }) =>
        cluster.start(['worker', '--queue', cluster.queue], { cwd: path }),
      );
      const run = cluster.run('a.test.yaml');
      await other!.says('a.test.yaml differs from where the run was started');
      await old!.says('the run is at revision aaaaaaaaaaaa and this worker at bbbbbbbbbbbb');
      await run.says('a.test.yaml differs from where the run was started');
      await run.says('this worker at bbbbbbbbbbbb');
      expect(run.stderr).toContain('worker_refused');
      cluster.worker();
      expect(await run.ended).toBe(0);
      expect(cluster.records().length).toBe(6);
      for (const { remove } of others) remove();
    },
  );

  scenario('a worker calls no agent whose answer nobody could judge', async (make) => {
    const cases = `evalcases:\n  - { id: a, input: t0, evaluators: [{ type: contains, value: t0 }] }\n  - { id: b, input: t1, expected_outcome: x }\n`;
    const cluster = make({ 'a.eval.yaml': cases });
    cluster.worker();
    expect(await cluster.run('a.eval.yaml').ended).toBe(3);
    expect(
      cluster
        .records()
        .map(({ test: id, verdict }) => `${id} ${verdict}`)
        .sort(),
    ).toEqual(['a passed', 'b error']);
    expect(cluster.calls().map(({ input }) => input)).toEqual(['t0']);
  });

  scenario('a queue starts no program that its worker was not started with', async (make) => {
    const cluster = make({ 'a.test.yaml': suite(['t0']), 'program.sh': '#!/bin/sh\ncat\n' });
    const agent = 'cmd: sh ./program.sh';
    const worker = cluster.worker();
    const run = cluster.start(['run', '--agent', agent, '--queue', cluster.queue, '--worker-wait', '60s']);
    await worker.says('a queue cannot start programs');
    cluster.worker('--agent', agent);
    expect(await run.ended).toBe(0);
  });

  scenario('repeats that follow the results are those of a local run', async (make) => {
    const cluster = make({ 'a.test.yaml': suite([...inputs('t', 3), 'wrong1']) });
    const auto = ['a.test.yaml', '--repeats', 'auto', '--min-pass-rate', '0.8', '--max-repeats', '30'];
    expect((await runCli(['run', ...auto, ...AGENT], { cwd: cluster.path })).exitCode).toBe(3);
    const local = cluster.records();
    cluster.worker('--concurrency', '4');
    const run = cluster.run(...auto, '--reporter', 'json');
    expect(await run.ended).toBe(3);
    expect(recordSet(cluster.records().slice(local.length))).toEqual(recordSet(local));
    expect(local.length).toBeGreaterThan(30);
  });

  scenario('a test whose id holds a secret is made once, and its record is redacted', async (make) => {
    const id = `key ${ENV.AGENT_API_KEY}`;
    const cluster = make({ 'a.test.yaml': `id: ${id}\ninput: t0\nassert: {output.includes: t0}\n` });
    cluster.start(['worker', '--queue', cluster.queue], { env: ENV });
    const args = ['run', 'a.test.yaml', '--agent', './agent.mjs', '--queue', cluster.queue];
    expect(await cluster.start(args, { env: ENV }).ended).toBe(0);
    expect(cluster.records().map(({ test: name }) => name)).toEqual(['key [redacted]']);
    expect(cluster.records()[0]!.id).toContain('key [redacted]');
    expect(cluster.calls().length).toBe(1);
  });

  scenario('no worker comes: exit 2, and the run can go on later', async (make) => {
    const cluster = make({ 'a.test.yaml': suite(['t0']) });
    const run = cluster.run('a.test.yaml', '--worker-wait', '5s');
    expect(await run.ended).toBe(2);
    expect(run.stderr).toContain('no worker joined within 5 s');
    cluster.worker();
    expect(await cluster.run('a.test.yaml', '--resume').ended).toBe(0);
  });
});

test.concurrent.each([
  [
    ['run', ...AGENT, '--queue', 'redis://127.0.0.1:1', '--worker-wait', '3s'],
    'the queue redis://127.0.0.1:1 cannot be used: connect ECONNREFUSED 127.0.0.1:1; waited ',
  ],
  [
    ['run', ...AGENT, '--queue', 'postgres://me:pg-secret-password@127.0.0.1:1/x', '--worker-wait', '3s'],
    'the queue postgres://127.0.0.1:1/x cannot be used: connect ECONNREFUSED 127.0.0.1:1; waited ',
  ],
  [
    ['worker', '--queue', 'redis://127.0.0.1:1', '--queue-wait', '3s'],
    'the queue redis://127.0.0.1:1 cannot be used: connect ECONNREFUSED 127.0.0.1:1; waited ',
  ],
  [['worker', '--queue', 'redis://x', '--queue-wait', 'long'], '--queue-wait takes a duration'],
  [['run', '--queue', 'ABSENT_VARIABLE'], 'refers to the variable ABSENT_VARIABLE, but it is not set'],
  [['run', '--queue', 'http://example.org'], 'is not the address of a queue'],
  [['worker'], 'which queue?'],
  [['worker', '--queue', 'redis://x', 'a.yaml'], 'is for `assay run`'],
  [['worker', '--queue', 'redis://x', '--concurrency', 'many'], '--concurrency takes'],
  [['run', '--lost-after', '3s'], 'add --queue'],
  [['run', '--queue', 'redis://x', '--workers', '3'], 'assay worker --concurrency'],
])('%j is refused', async (args, message) => {
  const project = createProject({ 'a.test.yaml': suite(['t0']), 'agent.mjs': '' });
  const { exitCode, stderr } = await runCli(args, { cwd: project.path });
  project.remove();
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('secret-password');
});

test('without BullMQ the message says what to install', async () => {
  // A copy of the program where no package can be found.
  const project = createProject({ 'a.test.yaml': suite(['t0']) });
  cpSync(join(CLI, '..'), join(project.path, 'dist'), { recursive: true });
  const cluster = new Cluster('redis://127.0.0.1:1', {});
  const run = cluster.start(['worker', '--queue', 'redis://127.0.0.1:1'], {
    cli: join(project.path, 'dist', 'cli.cjs'),
  });
  expect(await run.ended).toBe(2);
  expect(run.stderr).toContain('npm install bullmq ioredis');
  await cluster.stop();
  project.remove();
});
