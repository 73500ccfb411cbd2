import { afterAll, beforeAll, describe } from 'vitest';
import type { CutProxy } from '../servers/cut-proxy.ts';
import { startPostgres } from '../servers/postgres-server.ts';
import { startRedis } from '../servers/redis-server.ts';

/** An empty queue of a test's own, on a server that others use too. */
export interface TestQueue {
  readonly url: string;
  readonly port: number;
}

export type CreateQueue = () => Promise<TestQueue>;

const REDIS_DATABASES = 16;

/** The same tests against Redis and Postgres. */
export function onBothServers(tests: (createQueue: CreateQueue, kind: 'redis' | 'postgres') => void): void {
  describe.each(['redis', 'postgres'] as const)('on %s', (kind) => {
    let create: CreateQueue;
    let stop: () => Promise<void>;
    let count = 0;
    beforeAll(async () => {
      if (kind === 'redis') {
        const redis = await startRedis();
        create = async () => ({ url: `${redis.url}/${count++ % REDIS_DATABASES}`, port: redis.port });
        stop = redis.stop;
      } else {
        const postgres = await startPostgres();
        create = async () => ({
          url: await postgres.createDatabase(`queue${count++}`),
          port: postgres.port,
        });
        stop = postgres.stop;
      }
    }, 180_000);
    afterAll(() => stop());
    tests(() => create(), kind);
  });
}

export function throughProxy(url: string, { port }: CutProxy): string {
  return url.replace(/:\d+\//, `:${port}/`);
}
