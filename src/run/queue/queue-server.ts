import type { Job, Queue, Worker, WorkerOptions } from 'bullmq';
import { connectPostgres } from './postgres-server.ts';
import type { QueueAddress } from './queue-address.ts';
import { connectRedis } from './redis-server.ts';

/** Both kinds of server hold the same jobs: packed data in, packed results out. */
export type WorkQueue = Queue<string, string>;
export type WorkJob = Job<string, string>;
type Processor = (job: WorkJob, token?: string) => Promise<string>;

export interface QueueServer {
  readonly shown: string;
  /**
   * How many connections have broken so far: a request sent at that moment may have been executed without an
   * answer.
   */
  readonly breaks: number;
  /** What may lose jobs on this server, known after a probe. */
  readonly weakness?: string | undefined;
  /**
   * Checks that the server can be used. Throws QueueAway if waiting may help, and another QueueError if it will
   * not.
   */
  probe(): Promise<void>;
  /** `isNew`: writes the settings of the queue, which also creates it. */
  openQueue(name: string, options?: { readonly isNew: boolean }): WorkQueue;
  openWorker(
    name: string,
    processor: Processor | null,
    options: Partial<WorkerOptions>,
  ): Worker<string, string>;
  /** The names of all queues that contain something. */
  listQueues(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/**
 * A server that connects on first use, and again when a connection breaks. BullMQ and its drivers are not part of
 * Assay, and are loaded here.
 */
export async function connectQueue(address: QueueAddress): Promise<QueueServer> {
  return address.kind === 'redis' ? connectRedis(address) : connectPostgres(address);
}
