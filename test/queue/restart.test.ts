import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { effort } from '../effort.ts';
import { startPostgres } from '../servers/postgres-server.ts';
import { startRedis } from '../servers/redis-server.ts';
import { Cluster, inputs, suite } from './cluster.ts';

const SERVERS = { redis: startRedis, postgres: startPostgres };
const KINDS = ['redis', 'postgres'] as const;
const CALLS = effort({ short: [5], long: [1, 2, 5, 9, 14, 22] });

/** Nobody counts as lost in this time: a run that needed it would not end before the test does. */
const LOST_AFTER = '20m';

test.concurrent.each(KINDS.flatMap((kind) => CALLS.map((calls) => [kind, calls] as const)))(
  '%s restarted after %i calls: the run continues without waiting for --lost-after',
  async (kind, calls) => {
    const server = await SERVERS[kind]();
    const url = kind === 'redis' ? `${server.url}/0` : server.url;
    const cluster = new Cluster(url, {
      'a.test.yaml': suite([...inputs('slow', 6), ...inputs('t', 30)]),
    });
    try {
      const worker = cluster.worker('--concurrency', '4');
      const run = cluster.run('a.test.yaml', '--lost-after', LOST_AFTER, '--worker-wait', '4m');
      while (cluster.calls().length < calls) await sleep(10);
      await server.restart({ downMs: 1000, keepsData: true });
      expect(`${await run.ended} ${run.stderr}`).toMatch(/^0 /);
      expect(run.stderr).not.toContain('queue_data_lost');
      const records = cluster.records();
      expect(records.map(({ verdict }) => verdict)).toEqual(Array(36).fill('passed'));
      expect(new Set(records.map(({ id }) => id)).size).toBe(36);
      worker.child.kill('SIGTERM');
      expect(await worker.ended).toBe(0);
    } finally {
      await cluster.stop();
      await server.stop();
    }
  },
  300_000,
);
