import type { PostgresConnection, QueueBaseOptions, Worker } from 'bullmq';
import type { QueueAddress } from './queue-address.ts';
import { CONNECT_MS, ignoreErrors, loadDriver, NAMESPACE, probeQueue, STREAMS } from './queue-driver.ts';
import type { QueueServer, WorkQueue } from './queue-server.ts';

type BullMq = typeof import('bullmq');
type PostgresConfig = ConstructorParameters<typeof PostgresConnection>[0];

/** None of our queries waits for anything, so a connection that is silent this long is dead. */
const SILENCE_MS = 10_000;
/** The longest wait for a notification, in seconds: a disconnected worker must not miss more. */
const LONGEST_WAIT_S = 1;

export async function connectPostgres(address: QueueAddress): Promise<QueueServer> {
  const { url, shown } = address;
  const bullmq = await loadDriver(() => import('bullmq'), 'bullmq pg');
  // BullMQ looks for it later; it is better to report a missing package now.
  await loadDriver(() => import('pg' as string), 'bullmq pg');
  const config = (max: number) => ({
    connectionString: url,
    schema: NAMESPACE,
    max,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: SILENCE_MS,
    keepAlive: true,
  });
  const schema = new Schema(bullmq, config(1));
  const createBackend = createSteadyBackend(bullmq, schema);
  return {
    shown,
    get breaks() {
      return schema.breaks;
    },
    probe: () => probeQueue(address, () => schema.check()),
    openQueue: (name, { isNew } = { isNew: false }) =>
      ignoreErrors(
        new bullmq.Queue(
          name,
          { connection: config(1), streams: STREAMS, skipMetasUpdate: !isNew },
          createBackend,
        ),
      ) as unknown as WorkQueue,
    openWorker: (name, processor, { connection: _connection, ...own }) =>
      ignoreErrors(
        new bullmq.Worker(name, processor, { ...own, connection: config(2) }, createBackend),
      ) as unknown as Worker<string, string>,
    listQueues: () => schema.listQueues(),
    close: () => schema.close(),
  };
}

/**
 * The tables and functions of the queue, shared by all connections of a process. They are checked at the start, and
 * again after a connection broke: the server may have come back without them.
 */
class Schema {
  breaks = 0;
  private readonly bullmq: BullMq;
  private readonly connection: PostgresConnection;
  private known: Promise<void> | undefined;

  constructor(bullmq: BullMq, config: PostgresConfig) {
    this.bullmq = bullmq;
    this.connection = ignoreErrors(new bullmq.PostgresConnection(config));
    outliveBreaks(this.connection);
  }

  /** Resolves when they exist. A failure is not remembered, so the next caller tries again. */
  ready(): Promise<void> {
    if (this.known !== undefined) return this.known;
    const known = this.check();
    this.known = known;
    known.catch(() => {
      if (this.known === known) this.known = undefined;
    });
    return known;
  }

  /** A connection broke, or the server no longer knows the tables. */
  broke(): void {
    this.breaks++;
    this.known = undefined;
  }

  async check(): Promise<void> {
    const { assertSchemaCompatibility, runMigrations, LATEST_SCHEMA_VERSION } = this.bullmq;
    const client = await this.connection.pool.connect();
    let isSound = false;
    try {
      // One query without locks: if many processes start at once, none waits for another.
      const found = await assertSchemaCompatibility(client, NAMESPACE).catch((error: unknown) => {
        if (error instanceof this.bullmq.SchemaMigrationRequiredError) return 0;
        throw error;
      });
      if (found < LATEST_SCHEMA_VERSION) await runMigrations(client, NAMESPACE);
      isSound = true;
    } finally {
      client.release(!isSound);
    }
  }

  async listQueues(): Promise<readonly string[]> {
    await this.ready();
    const { rows } = await this.connection.pool.query<{ queue: string }>('SELECT DISTINCT queue FROM job');
    return rows.map(({ queue }) => queue);
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}

/** BullMQ remembers a failed connection forever: these connections try again. */
function createSteadyBackend(bullmq: BullMq, schema: Schema) {
  class SteadyConnection extends bullmq.PostgresConnection {
    constructor(config: PostgresConfig) {
      super(config);
      outliveBreaks(this);
      const query = this.pool.query.bind(this.pool) as (...args: unknown[]) => Promise<never>;
      this.pool.query = (...args: unknown[]) =>
        query(...args).catch((error: unknown) => {
          if (!isBreak(error)) throw error;
          schema.broke();
          // BullMQ recognises this text and tries again.
          throw new Error('Connection is closed.', { cause: error });
        });
    }

    override waitUntilReady(): Promise<void> {
      return schema.ready().catch((error: unknown) => {
        throw isBreak(error) ? new Error('Connection is closed.', { cause: error }) : error;
      });
    }
  }

  class SteadyBackend extends bullmq.PostgresQueueBackend {
    override get maximumBlockTimeout(): number {
      return LONGEST_WAIT_S;
    }

    /** Keeps no state: connections know best whether they are ready. */
    override waitUntilReady(): Promise<void> {
      return schema.ready();
    }
  }

  return (name: string, options: QueueBaseOptions<PostgresConfig>) =>
    new SteadyBackend(new SteadyConnection(options.connection), name, options);
}

/** Without a listener, an error event of a client in use would end the process. */
function outliveBreaks({ pool }: PostgresConnection): void {
  pool.on('connect' as 'error', (client: unknown) => void ignoreErrors(client as PostgresConnection));
}

/** Whether a retry may help. The server's answer to a statement is final, unless it is about the server itself. */
function isBreak(error: unknown): boolean {
  const { code = '', severity } = error as { code?: string; severity?: string };
  return severity === undefined ? !IS_OVER.test(String(error)) : IS_PASSING.test(code);
}

const IS_OVER = /after calling end on the pool/;
/** Connections, conflicts, resources, restarts, and tables or functions that disappeared with a server's data. */
const IS_PASSING = /^(?:08|40|53|57|58)|^(?:3F000|42P01|42883)$/;
