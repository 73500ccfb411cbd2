import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readJournal } from '../../src/runs/journal/journal-reader.ts';
import { effort } from '../effort.ts';
import { CLI, createProject } from '../project.ts';
import { startCutProxy } from '../servers/cut-proxy.ts';
import { startRedis, type TestRedis } from '../servers/redis-server.ts';
import { throughProxy } from './both-servers.ts';
import { Cluster, inputs, suite } from './cluster.ts';

let redis: TestRedis;
let databases = 0;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

/** These tests mostly wait, so they run concurrently, each in its own database without other runs. */
function fault(
  name: string,
  body: (make: (files: Files, server?: TestRedis) => Cluster) => Promise<void>,
): void {
  test.concurrent(
    name,
    async () => {
      const clusters: Cluster[] = [];
      try {
        await body((files, server = redis) => {
          const cluster = new Cluster(`${server.url}/${server === redis ? databases++ : 0}`, files);
          clusters.push(cluster);
          return cluster;
        });
      } finally {
        for (const cluster of clusters) await cluster.stop();
      }
    },
    effort({ short: 120_000, long: 300_000 }),
  );
}

/** A fault that another one above or below is much like. */
function similarFault(...args: Parameters<typeof fault>): void {
  if (effort({ short: false, long: true })) fault(...args);
}

type Files = Readonly<Record<string, string>>;

const MANY = { 'a.test.yaml': suite([...inputs('slow', 8), ...inputs('t', 40)]) };

/** Every attempt has exactly one record, and all of them passed. */
function expectAllPassed(cluster: Cluster, count: number): void {
  const records = cluster.records();
  expect(new Set(records.map(({ id }) => id)).size).toBe(count);
  expect(records.length).toBe(count);
  expect(records.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
}

fault('a worker killed with -9 in the middle: its attempts are made elsewhere', async (make) => {
  const cluster = make(MANY);
  const victim = cluster.worker('--concurrency', '2');
  const run = cluster.run('a.test.yaml');
  await cluster.called('slow0');
  victim.child.kill('SIGKILL');
  cluster.worker('--concurrency', '4');
  expect(await run.ended).toBe(0);
  expectAllPassed(cluster, 48);
  const asked = cluster.calls().filter(({ input }) => input === 'slow0');
  expect(new Set(asked.map(({ pid }) => pid)).size).toBe(2);
});

fault(
  'a worker that hangs: its attempts are made elsewhere, and what it says later changes nothing',
  async (make) => {
    const cluster = make(MANY);
    const hung = cluster.worker('--concurrency', '2');
    const run = cluster.run('a.test.yaml');
    await cluster.called('slow0');
    hung.child.kill('SIGSTOP');
    cluster.worker('--concurrency', '2');
    await run.says('1 worker');
    while (cluster.calls().filter(({ input }) => input === 'slow0').length < 2) await sleep(100);
    hung.child.kill('SIGCONT');
    expect(await run.ended).toBe(0);
    expectAllPassed(cluster, 48);
  },
);

fault(
  'the coordinator killed and started again with --resume: nothing recorded is made again',
  async (make) => {
    const cluster = make({ 'a.test.yaml': suite([...inputs('t', 60), ...inputs('slow', 4)]) });
    cluster.worker('--concurrency', '2');
    const first = cluster.run('a.test.yaml');
    while (cluster.records().length < 20) await sleep(50);
    first.child.kill('SIGKILL');
    await first.ended;
    const before = new Set(cluster.records().map(({ test: name }) => name));
    // What the workers finish meanwhile waits for the next coordinator.
    await sleep(1000);
    const callsBefore = cluster.calls().length;
    expect(await cluster.run('a.test.yaml', '--resume').ended).toBe(0);
    expectAllPassed(cluster, 64);
    const again = cluster.calls().slice(callsBefore);
    expect(again.filter(({ input }) => before.has(input))).toEqual([]);
    expect(readdirSync(join(cluster.path, '.assay', 'runs')).length).toBe(1);
  },
);

function restartTheQueue(keepsData: boolean): Parameters<typeof fault>[1] {
  return async (make) => {
    const own = await startRedis();
    const cluster = make(MANY, own);
    const worker = cluster.worker('--concurrency', '4');
    const run = cluster.run('a.test.yaml');
    await cluster.called('slow3');
    await own.restart({ downMs: 1000, keepsData });
    expect(await run.ended).toBe(0);
    expectAllPassed(cluster, 48);
    if (!keepsData) expect(run.stderr).toContain('queue_data_lost');
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
    await own.stop();
  };
}

similarFault('the queue is killed and comes back with its data', restartTheQueue(true));
fault('the queue is killed and comes back without its data', restartTheQueue(false));

function failTheNetwork(how: 'cut' | 'hold'): Parameters<typeof fault>[1] {
  return async (make) => {
    const cluster = make(MANY);
    const proxy = await startCutProxy(redis.port);
    const far = cluster.start([
      'worker',
      '--queue',
      throughProxy(cluster.queue, proxy),
      '--concurrency',
      '2',
    ]);
    const run = cluster.run('a.test.yaml');
    await cluster.called('slow0');
    await proxy.fail(how);
    cluster.worker('--concurrency', '2');
    await far.says('the queue does not answer');
    await proxy.mend();
    await far.says('the queue answers again');
    expect(await run.ended).toBe(0);
    expectAllPassed(cluster, 48);
    await proxy.stop();
  };
}

similarFault('the network of one worker is cut, and comes back', failTheNetwork('cut'));
fault('the network of one worker is silent, and comes back', failTheNetwork('hold'));

fault('the network of the coordinator fails, and comes back', async (make) => {
  const cluster = make(MANY);
  const proxy = await startCutProxy(redis.port);
  cluster.worker('--concurrency', '4');
  const run = cluster.run('a.test.yaml', '--queue', throughProxy(cluster.queue, proxy));
  await cluster.called('slow0');
  await proxy.fail('cut');
  await run.says('the queue does not answer');
  await proxy.mend();
  expect(await run.ended).toBe(0);
  expectAllPassed(cluster, 48);
  await proxy.stop();
});

fault(
  'an attempt that kills its workers is quarantined after three of them; all others are made',
  async (make) => {
    const cluster = make({ 'a.test.yaml': suite([...inputs('t', 10), 'poison', ...inputs('u', 10)]) });
    for (let count = 0; count < 4; count++) cluster.worker('--concurrency', '3');
    const run = cluster.run('a.test.yaml', '--lost-after', '2s');
    expect(await run.ended).toBe(3);
    const records = cluster.records();
    expect(records.length).toBe(21);
    const bad = records.filter(({ verdict }) => verdict !== 'passed');
    expect(bad.map(({ test: name, error }) => [name, error!.kind])).toEqual([['poison', 'infrastructure']]);
    expect(bad[0]!.error!.message).toContain('3 workers were lost during this attempt');
    expect(cluster.calls().filter(({ input }) => input === 'poison').length).toBe(3);
  },
);

fault('a worker of another version does not join, and both sides say so', async (make) => {
  const cluster = make({ 'a.test.yaml': suite(inputs('t', 4)) });
  const copy = createProject({});
  cpSync(join(CLI, '..'), join(copy.path, 'dist'), { recursive: true });
  symlinkSync(join(CLI, '..', '..', 'node_modules'), join(copy.path, 'node_modules'));
  for (const name of readdirSync(join(copy.path, 'dist', 'chunks')).filter((file) =>
    file.startsWith('package-'),
  )) {
    const path = join(copy.path, 'dist', 'chunks', name);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('0.1.0', '0.0.9'));
  }
  const old = cluster.start(['worker', '--queue', cluster.queue], {
    cli: join(copy.path, 'dist', 'cli.cjs'),
  });
  const run = cluster.run('a.test.yaml');
  await old.says('the run uses Assay 0.1.0 and this worker 0.0.9');
  await run.says('this worker 0.0.9');
  cluster.worker();
  expect(await run.ended).toBe(0);
  expectAllPassed(cluster, 4);
  copy.remove();
});

fault('Ctrl-C at the coordinator: exit 130, the workers stop and wait for the next run', async (make) => {
  const cluster = make(MANY);
  const worker = cluster.worker('--concurrency', '2');
  const run = cluster.run('a.test.yaml');
  await cluster.called('slow1');
  run.child.kill('SIGINT');
  expect(await run.ended).toBe(130);
  await worker.says('has left run');
  expect(await cluster.run('a.test.yaml', '--resume').ended).toBe(0);
  expectAllPassed(cluster, 48);
});

fault('Ctrl-C at a worker: once, it ends what it is making; twice, that is made elsewhere', async (make) => {
  const cluster = make({ 'a.test.yaml': suite(inputs('held', 6)) });
  const polite = cluster.worker('--concurrency', '2');
  const run = cluster.run('a.test.yaml', '--lost-after', '20s');
  await cluster.called('held0');
  await cluster.called('held1');
  polite.child.kill('SIGINT');
  await polite.says('press Ctrl-C again to force');
  cluster.release('held0', 'held1');
  expect(await polite.ended).toBe(0);
  const hasty = cluster.worker('--concurrency', '2');
  await cluster.called('held2');
  await cluster.called('held3');
  hasty.child.kill('SIGINT');
  await hasty.says('press Ctrl-C again to force');
  hasty.child.kill('SIGINT');
  expect(await hasty.ended).toBe(130);
  cluster.release(...inputs('held', 6));
  cluster.worker();
  expect(await run.ended).toBe(0);
  expectAllPassed(cluster, 6);
  // The polite worker finished its two attempts; the two of the hasty one ran again.
  expect(cluster.calls().length).toBe(8);
});

fault('a run that another machine has gone on with is left to it', async (make) => {
  const cluster = make(MANY);
  cluster.worker('--concurrency', '2');
  const first = cluster.run('a.test.yaml');
  await cluster.called('slow1');
  first.child.kill('SIGSTOP');
  // The other machine has a copy of the run; the lock is this machine's.
  const elsewhere = createProject({});
  cpSync(cluster.path, elsewhere.path, { recursive: true });
  const runs = join(elsewhere.path, '.assay', 'runs');
  const [run] = readdirSync(runs);
  rmSync(join(runs, run!, 'lock'));
  const second = cluster.start(
    ['run', 'a.test.yaml', '--agent', './agent.mjs', '--queue', cluster.queue, '--resume'],
    { cwd: elsewhere.path },
  );
  await second.says('1 worker');
  first.child.kill('SIGCONT');
  expect(await first.ended).toBe(2);
  expect(first.stderr).toContain('another process has taken over this run');
  expect(await second.ended).toBe(0);
  const ids = [...readJournal(join(runs, run!, 'results.jsonl'))].map(({ record }) => record.id);
  expect(ids.length).toBe(48);
  expect(new Set(ids).size).toBe(48);
  elsewhere.remove();
});

fault('a second coordinator of the same run is refused', async (make) => {
  const cluster = make(MANY);
  const first = cluster.run('a.test.yaml');
  await first.says('waiting for workers');
  const second = cluster.run('a.test.yaml', '--resume');
  expect(await second.ended).toBe(2);
  expect(second.stderr).toContain(`is locked by process ${first.pid}`);
  cluster.worker('--concurrency', '4');
  expect(await first.ended).toBe(0);
  expectAllPassed(cluster, 48);
});
