import { Queue, createPostgresBackend } from 'bullmq';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { effort } from '../effort.ts';
import { createProject } from '../project.ts';
import { startCutProxy } from '../servers/cut-proxy.ts';
import { FEW_BLIPS, FEWER_BLIPS, MANY_BLIPS, testBlips, type Blip } from './blips.ts';
import { onBothServers, throughProxy } from './both-servers.ts';
import { AGENT, Cluster, inputs, suite } from './cluster.ts';

const ONE = { 'a.test.yaml': suite(['t0']) };

onBothServers((createQueue, kind) => {
  // The whole table takes many minutes: ASSAY_ALL_BLIPS=1 npx vitest run test/queue/steady.test.ts
  const blips = effort<readonly Blip[]>({ short: FEWER_BLIPS[kind], long: FEW_BLIPS });
  testBlips(createQueue, process.env['ASSAY_ALL_BLIPS'] === '1' ? MANY_BLIPS : blips);
  /** Both servers take long: `npm test` has each of these on one of them. */
  const testOn = (server: 'redis' | 'postgres') =>
    test.runIf(effort({ short: kind === server, long: true })).concurrent;

  testOn('postgres')(
    'a queue that accepts and never answers: everybody says so, and ends in time',
    async () => {
      const { url, port } = await createQueue();
      const proxy = await startCutProxy(port);
      const cluster = new Cluster(throughProxy(url, proxy), ONE);
      await proxy.fail('stall');
      const run = cluster.run('a.test.yaml', '--worker-wait', '8s');
      const impatient = cluster.worker('--queue-wait', '3s');
      const stopped = cluster.worker();
      await stopped.says('does not answer; waiting');
      stopped.child.kill('SIGTERM');
      expect(await stopped.ended).toBe(0);
      expect(await impatient.ended).toBe(2);
      expect(impatient.stderr).toContain('does not answer; waited 3 s');
      expect(await run.ended).toBe(2);
      expect(run.stdout).toContain('does not answer');
      expect(run.stderr).toContain('does not answer; waited 8 s');
      await cluster.stop();
      await proxy.stop();
    },
    180_000,
  );

  testOn('redis')(
    'a worker that is told to stop while the queue stalls ends, and what it could not deliver is made elsewhere',
    async () => {
      const { url, port } = await createQueue();
      const proxy = await startCutProxy(port);
      const cluster = new Cluster(url, { 'a.test.yaml': suite(inputs('slow', 4)) });
      const far = cluster.start(['worker', '--queue', throughProxy(url, proxy), '--concurrency', '2']);
      const run = cluster.run('a.test.yaml');
      await cluster.called('slow1');
      await proxy.fail('stall');
      far.child.kill('SIGTERM');
      expect(await far.ended).toBe(0);
      expect(far.stderr).toContain('other workers run its unfinished attempts');
      cluster.worker('--concurrency', '4');
      expect(await run.ended).toBe(0);
      expect(cluster.records().map(({ verdict }) => verdict)).toEqual(Array(4).fill('passed'));
      await cluster.stop();
      await proxy.stop();
    },
    180_000,
  );

  testOn('postgres')(
    'what a killed worker left of a run that is over is removed by the next run',
    async () => {
      const { url } = await createQueue();
      const cluster = new Cluster(url, ONE);
      cluster.worker();
      expect(await cluster.run('a.test.yaml').ended).toBe(0);
      // As a worker writes it that has not noticed yet that the run is over.
      await addRow('workers-0199-over', url);
      expect(await queueNames(url)).toContain('workers-0199-over');
      expect(await cluster.run('a.test.yaml').ended).toBe(0);
      expect(await queueNames(url)).not.toContain('workers-0199-over');
      await cluster.stop();
    },
    180_000,
  );

  testOn('redis')(
    'a worker that refuses never said that it takes part, and the run does not ask for more workers',
    async () => {
      const { url } = await createQueue();
      const cluster = new Cluster(url, ONE);
      const other = createProject({ 'a.test.yaml': suite(['t0', 't1']), 'agent.mjs': AGENT });
      const worker = cluster.start(['worker', '--queue', url], { cwd: other.path });
      await worker.says('waits for runs');
      const run = cluster.run('a.test.yaml', '--worker-wait', '10s');
      expect(await run.ended).toBe(2);
      expect(run.stderr).toContain('no worker joined within 10 s: 1 worker refused');
      expect(run.stderr).not.toContain('start workers with `assay worker');
      expect(worker.stderr).toContain('does not join run');
      expect(worker.stderr).not.toContain('has joined run');
      await cluster.stop();
      other.remove();
    },
    180_000,
  );

  async function addRow(name: string, url: string): Promise<void> {
    const redis = kind === 'redis' ? new Redis(url, { maxRetriesPerRequest: null }) : undefined;
    const queue =
      redis === undefined
        ? new Queue(name, { connection: { connectionString: url, schema: 'assay' } }, createPostgresBackend)
        : new Queue(name, { connection: redis, prefix: 'assay' });
    await queue.add('worker', 'row', { jobId: 'some-worker' });
    await queue.close();
    redis?.disconnect();
  }

  /** The queues that are not empty. */
  async function queueNames(url: string): Promise<readonly string[]> {
    if (kind === 'redis') {
      const client = new Redis(url);
      const keys = await client.keys('assay:*');
      client.disconnect();
      return keys.map((key) => key.split(':')[1]!);
    }
    const { default: pg } = (await import('pg' as string)) as { default: PostgresModule };
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query('SELECT queue FROM assay.job UNION SELECT queue FROM assay.meta');
    await client.end();
    return rows.map(({ queue }) => queue);
  }
});

interface PostgresModule {
  readonly Client: new (options: { connectionString: string }) => {
    connect(): Promise<void>;
    query(text: string): Promise<{ rows: readonly { queue: string }[] }>;
    end(): Promise<void>;
  };
}
