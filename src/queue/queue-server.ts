import type { Job, Queue, Worker, WorkerOptions } from 'bullmq';
import type { QueueAddress } from './queue-address.ts';
import { QueueError } from './queue-error.ts';

/** Both kinds of server hold the same jobs: packed data in, packed results out. */
export type WorkQueue = Queue<string, string>;
export type WorkJob = Job<string, string>;
type Processor = (job: WorkJob, token?: string) => Promise<string>;

export interface QueueServer {
  readonly shown: string;
  /** `isNew`: settings of the queue are written, which also brings it about. */
  openQueue(name: string, options?: { readonly isNew: boolean }): WorkQueue;
  openWorker(
    name: string,
    processor: Processor | null,
    options: Partial<WorkerOptions>,
  ): Worker<string, string>;
  close(): Promise<void>;
}

/** A name of ours among the keys of Redis, and a schema of our own in Postgres. */
const NAMESPACE = 'assay';
const CONNECT_MS = 10_000;
/** Longer than a worker waits for a job in one call, so that only a dead connection is that silent. */
const SILENCE_MS = 20_000;
/** A result stands in the events of its queue as well: few of them are kept, and nobody reads them. */
const STREAMS = { events: { maxLen: 10 } };

/** Connects, or says what is wrong. BullMQ and its driver are not part of Assay, and are loaded when a queue is used. */
export async function connectQueue(address: QueueAddress): Promise<QueueServer> {
  return address.kind === 'redis' ? connectRedis(address) : connectPostgres(address);
}

async function connectRedis(address: QueueAddress): Promise<QueueServer> {
  const { url, shown } = address;
  const bullmq = await load(() => import('bullmq'), 'bullmq ioredis');
  const { Redis } = await load(() => import('ioredis'), 'bullmq ioredis');
  const options = { connectTimeout: CONNECT_MS, maxRetriesPerRequest: null, socketTimeout: SILENCE_MS };
  const probe = new Redis(url, { ...options, lazyConnect: true, retryStrategy: () => null });
  let problem: Error | undefined;
  probe.on('error', (error: Error) => (problem = error));
  try {
    await probe.connect();
    await probe.ping();
  } catch (error) {
    throw unreachable(address, problem ?? error);
  } finally {
    probe.disconnect();
  }
  const connection = new Redis(url, { ...options, retryStrategy: (times) => Math.min(100 * times, 2000) });
  // It connects again by itself; what matters is whether answers come.
  connection.on('error', () => {});
  const shared = { connection, prefix: NAMESPACE };
  return {
    shown,
    openQueue: (name, { isNew } = { isNew: false }) =>
      quiet(new bullmq.Queue<string, string>(name, { ...shared, streams: STREAMS, skipMetasUpdate: !isNew })),
    openWorker: (name, processor, own) =>
      quiet(new bullmq.Worker<string, string>(name, processor, { ...shared, ...own })),
    close: async () => connection.disconnect(),
  };
}

async function connectPostgres(address: QueueAddress): Promise<QueueServer> {
  const { url, shown } = address;
  const { createPostgresBackend, Queue, Worker } = await load(() => import('bullmq'), 'bullmq pg');
  // Found by BullMQ itself, later: that it is not there is better said now.
  await load(() => import('pg' as string), 'bullmq pg');
  const connect = (max: number) => ({
    connection: {
      connectionString: url,
      schema: NAMESPACE,
      migrate: true,
      max,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: SILENCE_MS,
      keepAlive: true,
    },
  });
  const probe = quiet(new Queue('probe', { ...connect(1), skipMetasUpdate: true }, createPostgresBackend));
  try {
    await probe.waitUntilReady();
  } catch (error) {
    throw unreachable(address, error);
  } finally {
    await probe.close().catch(() => {});
  }
  return {
    shown,
    openQueue: (name, { isNew } = { isNew: false }) =>
      quiet(
        new Queue(name, { ...connect(1), streams: STREAMS, skipMetasUpdate: !isNew }, createPostgresBackend),
      ) as unknown as WorkQueue,
    openWorker: (name, processor, { connection: _connection, ...own }) =>
      quiet(
        new Worker(name, processor, { ...connect(2), ...own }, createPostgresBackend),
      ) as unknown as Worker<string, string>,
    close: async () => {},
  };
}

async function load<T>(module: () => Promise<T>, packages: string): Promise<T> {
  try {
    return await module();
  } catch (error) {
    throw new QueueError(`a queue needs packages that are not installed: ${packages.replace(' ', ' and ')}`, {
      hint: `npm install ${packages}`,
      cause: error,
    });
  }
}

/** Without the cause, which may hold the address. */
function unreachable({ shown, secrets }: QueueAddress, error: unknown): QueueError {
  const { code, message } = error as NodeJS.ErrnoException;
  const said = secrets.reduce(
    (text, secret) => text.replaceAll(secret, '[redacted]'),
    message === '' ? String(code) : message,
  );
  return new QueueError(`the queue ${shown} cannot be used: ${said}`, {
    hint: 'is the server running there, and may this user use it?',
  });
}

/** Without a listener an error event would end the process; a connection that broke is made again. */
function quiet<T extends { on(event: 'error', listener: (error: Error) => void): unknown }>(emitter: T): T {
  emitter.on('error', () => {});
  return emitter;
}
