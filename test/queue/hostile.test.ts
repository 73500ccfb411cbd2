import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';
import { Queue, Worker } from 'bullmq';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pack } from '../../src/run/queue/packed.ts';
import { startRedis, type TestRedis } from '../servers/redis-server.ts';
import { Cluster, inputs, suite } from './cluster.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

/** Blocks its thread while it loads, for longer than a worker may be silent. */
const SLOW_TO_LOAD = `
import { appendFileSync } from 'node:fs';
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4000);
export const workers = 4;
export async function agent(input) {
  appendFileSync(import.meta.dirname + '/calls.log', input + ' ' + process.ppid + '\\n');
  return { output: 'You said ' + input };
}`;

test('a worker joins when its agent is loaded: a slow one gets each attempt once', async () => {
  const names = inputs('t', 6);
  const cluster = new Cluster(`${redis.url}/0`, { 'agent.mjs': SLOW_TO_LOAD, 'a.test.yaml': suite(names) });
  try {
    const worker = cluster.worker();
    const run = cluster.run('a.test.yaml', '--lost-after', '1s');
    expect(`${await run.ended} ${run.stderr}`).toMatch(/^0 /);
    expect(
      cluster
        .calls()
        .map(({ input }) => input)
        .toSorted(),
    ).toEqual(names);
    expect(worker.stderr).not.toContain('does not answer');
  } finally {
    await cluster.stop();
  }
}, 60_000);

/** A few kilobytes that unpack to more than a process may use. */
const BOMB = `j${deflateRawSync(Buffer.alloc(300_000_000, 0x20)).toString('base64')}`;
const RECORD = {
  id: 'other',
  file: 'a.test.yaml',
  line: 1,
  column: 1,
  test: 't0',
  target: 'agent',
  repeat: 1,
  tags: [],
  fingerprint: '',
  verdict: 'passed',
  steps: [],
  assertions: [],
  retries: 0,
  duration_ms: 0,
  started_at: '',
};
const NOT_RESULTS: readonly unknown[] = [
  '',
  '{bad',
  '{}',
  'null',
  '{"by":"x","count":4000000000}',
  'jnot packed',
  42,
  null,
  BOMB,
  ...[null, {}, [], { finished: {} }, { finished: [null], duration_ms: 0 }].map(pack),
  pack({ finished: [{ record: RECORD, findings: [] }], duration_ms: 0 }),
  pack({ finished: [{ record: { ...RECORD, steps: [null] }, findings: [null] }], duration_ms: 0 }),
];
const NOT_OFFERS: readonly string[] = [
  '',
  'null',
  '{bad',
  BOMB,
  ...[null, [], 7, {}, { run_id: 1 }, { run_id: 'x', owner: 'x', beat_at: 'x', settings: null }].map(pack),
  pack({
    protocol: 5,
    run_id: 'y',
    owner: 'x',
    beat_at: new Date().toISOString(),
    settings: {},
    agents: [null],
  }),
];

test('offers, workers, jobs and results that Assay did not write cost nothing but time', async () => {
  const names = inputs('t', 20);
  const cluster = new Cluster(`${redis.url}/1`, { 'a.test.yaml': suite(names) });
  const shared = { connection: { port: redis.port, db: 1, maxRetriesPerRequest: null }, prefix: 'assay' };
  const opened: { close(): Promise<unknown> }[] = [];
  const open = <T extends { close(): Promise<unknown> }>(one: T): T => (opened.push(one), one);
  const plant = async (name: string, data: readonly string[]): Promise<void> => {
    const queue = open(new Queue(name, shared));
    for (const [index, each] of data.entries()) await queue.add('x', each, { jobId: `planted-${index}` });
  };
  try {
    await plant('runs', NOT_OFFERS);
    const first = cluster.run('a.test.yaml');
    await first.says('waiting for workers');
    const [id] = readdirSync(join(cluster.path, '.assay', 'runs'));
    await plant(`workers-${id}`, NOT_OFFERS);
    let count = 0;
    open(
      new Worker(
        `work-${id}`,
        async () => (count < NOT_RESULTS.length ? NOT_RESULTS[count++] : new Promise(() => {})),
        shared,
      ),
    );
    while (count < NOT_RESULTS.length) await sleep(20);
    await first.says('queue_data_lost');
    await Promise.all(
      opened.splice(0).map((one) => ('run' in one ? (one as Worker).close(true) : one.close())),
    );
    await plant(`work-${id}`, NOT_OFFERS);
    first.child.kill('SIGKILL');
    await first.ended;
    const run = cluster.run('a.test.yaml', '--resume');
    const worker = cluster.worker();
    expect(`${await run.ended} ${run.stderr}`).toMatch(/^0 /);
    expect(first.stderr).toContain('queue_data_lost');
    expect(
      cluster
        .records()
        .map(({ test: name, verdict }) => `${name} ${verdict}`)
        .toSorted(),
    ).toEqual(names.map((name) => `${name} passed`).toSorted());
    worker.child.kill('SIGTERM');
    expect(`${await worker.ended} ${worker.stderr}`).toMatch(/^0 /);
    expect(first.stderr + run.stderr + worker.stderr).not.toMatch(/bug in Assay|\n\s+at /);
  } finally {
    await Promise.all(opened.map((one) => one.close()));
    await cluster.stop();
  }
}, 120_000);

test('a Redis that may evict jobs is one warning of Assay', async () => {
  const evicting = await startRedis({ flags: ['--maxmemory-policy', 'allkeys-lru'] });
  const cluster = new Cluster(evicting.url, { 'a.test.yaml': suite(['t0']) });
  try {
    const worker = cluster.worker();
    const run = cluster.run('a.test.yaml');
    expect(`${await run.ended} ${run.stderr}`).toMatch(/^0 /);
    expect((run.stdout + run.stderr).match(/queue_may_lose_jobs/g)).toHaveLength(1);
    expect(worker.stderr.match(/warning: .* its maxmemory-policy is allkeys-lru/g)).toHaveLength(1);
    expect(run.stdout + run.stderr + worker.stdout + worker.stderr).not.toContain('IMPORTANT');
  } finally {
    await cluster.stop();
    await evicting.stop();
  }
}, 60_000);

test.each(['before it starts', 'while it runs'])(
  '--worker-wait holds for a Redis that stops answering %s',
  async (when) => {
    const own = await startRedis();
    const cluster = new Cluster(own.url, { 'a.test.yaml': suite(['t0']) });
    try {
      if (when === 'before it starts') own.stall();
      let stalledAt = performance.now();
      const run = cluster.run('a.test.yaml', '--worker-wait', '6s');
      if (when === 'while it runs') {
        await run.says('waiting for workers');
        own.stall();
        stalledAt = performance.now();
      }
      expect(await run.ended).toBe(2);
      expect(run.stderr).toContain('does not answer; waited 6 s');
      expect(performance.now() - stalledAt).toBeLessThan(10_000);
    } finally {
      await cluster.stop();
      await own.stop();
    }
  },
  60_000,
);
