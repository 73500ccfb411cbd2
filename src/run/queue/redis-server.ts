import type { Redis, RedisOptions } from 'ioredis';
import type { QueueAddress } from './queue-address.ts';
import { CONNECT_MS, ignoreErrors, loadDriver, NAMESPACE, probeQueue, STREAMS } from './queue-driver.ts';
import type { QueueServer } from './queue-server.ts';

/** Longer than a worker waits for a job in one call, so a connection that is silent this long is dead. */
const SILENCE_MS = 20_000;
const SCANNED_AT_ONCE = 1000;
const EVICTION = /^maxmemory_policy:(.*?)\r?$/m;

export async function connectRedis(address: QueueAddress): Promise<QueueServer> {
  const { url, shown } = address;
  const bullmq = await loadDriver(() => import('bullmq'), 'bullmq ioredis');
  const { Redis: Connection } = await loadDriver(() => import('ioredis'), 'bullmq ioredis');
  const options = { connectTimeout: CONNECT_MS, maxRetriesPerRequest: null, socketTimeout: SILENCE_MS };
  // Commands wait until it is connected, with no limit of their own: the sender sets a limit.
  const connection = ignoreErrors(
    withoutWarning(
      new Connection(url, { ...options, retryStrategy: (times) => Math.min(100 * times, 2000) }),
    ),
  );
  let breaks = 0;
  let weakness: string | undefined;
  connection.on('close', () => breaks++);
  const shared = { connection, prefix: NAMESPACE };

  /** On a separate connection, which fails instead of retrying. */
  const probe = async (): Promise<void> => {
    const once = new Connection(url, { ...options, lazyConnect: true, retryStrategy: () => null });
    let problem: Error | undefined;
    once.on('error', (error: Error) => (problem = error));
    try {
      await probeQueue(address, async () => {
        await once.connect().catch((error: unknown) => Promise.reject(problem ?? error));
        weakness = describeEviction(await once.info('memory'));
      });
    } finally {
      once.disconnect();
    }
  };

  const listQueues = async (): Promise<readonly string[]> => {
    const names = new Set<string>();
    let cursor = '0';
    do {
      const [next, keys] = await connection.scan(cursor, 'MATCH', `${NAMESPACE}:*`, 'COUNT', SCANNED_AT_ONCE);
      cursor = next;
      // A queue that was just created contains only its settings.
      for (const key of keys) if (!key.endsWith(':meta')) names.add(key.split(':')[1]!);
    } while (cursor !== '0');
    return [...names];
  };

  return {
    shown,
    get breaks() {
      return breaks;
    },
    get weakness() {
      return weakness;
    },
    probe,
    openQueue: (name, { isNew } = { isNew: false }) =>
      ignoreErrors(
        new bullmq.Queue<string, string>(name, { ...shared, streams: STREAMS, skipMetasUpdate: !isNew }),
      ),
    openWorker: (name, processor, own) =>
      ignoreErrors(new bullmq.Worker<string, string>(name, processor, { ...shared, ...own })),
    listQueues,
    close: async () => connection.disconnect(),
  };
}

/** BullMQ warns about the eviction policy for each connection, in its own words. Assay warns once. */
function withoutWarning(connection: Redis): Redis {
  const info = connection.info.bind(connection);
  const duplicate = connection.duplicate.bind(connection);
  return Object.assign(connection, {
    // The connection itself asks with a callback.
    info: async (...args: []) => (args.length > 0 ? info(...args) : (await info()).replace(EVICTION, '')),
    duplicate: (more?: Partial<RedisOptions>) => withoutWarning(duplicate(more)),
  });
}

function describeEviction(info: string): string | undefined {
  const policy = EVICTION.exec(info)?.[1];
  if (policy === undefined || policy === 'noeviction') return undefined;
  return `Redis may remove jobs when its memory is full: its maxmemory-policy is ${policy}`;
}
