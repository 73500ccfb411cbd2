import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { needProgram } from '../need-program.ts';
import { freePort } from './free-port.ts';

export interface TestRedis {
  readonly port: number;
  readonly url: string;
  /** Ends it without warning, and starts it again on the same port after a while. */
  restart(options: { readonly downMs: number; readonly keepsData: boolean }): Promise<void>;
  /** It accepts connections, and answers nothing. */
  stall(): void;
  stop(): Promise<void>;
}

interface RedisOptions {
  readonly password?: string;
  readonly port?: number;
  /** Further options of the command line. */
  readonly flags?: readonly string[];
}

/** A real Redis of a test's own: in a temporary folder, on a free port of the loopback. */
export async function startRedis({
  password,
  port: wanted,
  flags: more = [],
}: RedisOptions = {}): Promise<TestRedis> {
  const program = needProgram('redis-server', 'redis-server');
  const folder = mkdtempSync(join(tmpdir(), 'assay-redis-'));
  const port = wanted ?? (await freePort());
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  flags.push('--appendonly', 'yes', '--appendfsync', 'always', ...more);
  if (password !== undefined) flags.push('--requirepass', password);
  let server = await start(program, flags, port);
  return {
    port,
    url: `redis://${password === undefined ? '' : `:${password}@`}127.0.0.1:${port}`,
    async restart({ downMs, keepsData }) {
      await end(server, 'SIGKILL');
      if (!keepsData) rmSync(join(folder, 'appendonlydir'), { recursive: true });
      await sleep(downMs);
      server = await start(program, flags, port);
    },
    stall: () => void server.kill('SIGSTOP'),
    async stop() {
      await end(server, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function start(program: string, flags: readonly string[], port: number): Promise<ChildProcess> {
  const server = spawn(program, flags, { stdio: 'ignore' });
  for (let tries = 0; tries < 200; tries++) {
    if (await accepts(port)) return server;
    await sleep(50);
  }
  throw new Error(`redis-server does not listen on ${port}`);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill(signal);
  await ended;
}
