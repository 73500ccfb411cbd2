import { connect } from 'node:net';
import { AgentSetupError } from './agent-setup-error.ts';
import { Capture, lastLines } from './processes/capture.ts';
import { ProcessGroup, type Exit, type ProcessOptions } from './processes/process-group.ts';
import { describeExit } from './processes/run-process.ts';
import { killOrphans } from './processes/strays.ts';
import { monotonicMs, startTimer } from '../base/system/system-time.ts';

export interface StartServerOptions extends ProcessOptions {
  readonly name: string;
  readonly url: URL;
  readonly healthcheck?: URL | undefined;
}

export interface StartedServer {
  /** How it ended, if it did. */
  explainEnd(): string | undefined;
  stop(): Promise<void>;
}

/** Starts a server and waits until it answers. */
export async function startServer(
  argv: readonly string[],
  options: StartServerOptions,
): Promise<StartedServer> {
  const { name, url } = options;
  if (await isTaken(url)) {
    throw new AgentSetupError(`${name}: another server already answers at ${url.host}`, {
      hint: 'stop it, or remove `start` to use it',
    });
  }
  const isReady = chooseCheck(options);
  const server = new Server(await startGroup(argv, options));
  const end = monotonicMs() + READY_LIMIT_MS;
  while (!(await isReady())) {
    const ended = server.explainEnd();
    const isLate = monotonicMs() > end;
    if (ended === undefined && !isLate) {
      await pause(POLL_MS);
      continue;
    }
    await server.stop();
    const why = ended ?? `was not ready after ${READY_LIMIT_MS / 1000} s${server.said()}`;
    throw new AgentSetupError(`${name}: the server ${JSON.stringify(argv.join(' '))} ${why}`);
  }
  return server;
}

/** A server left by a killed run is ended; any other one belongs to somebody. */
async function isTaken(url: URL): Promise<boolean> {
  if (!(await takesConnections(url))) return false;
  killOrphans();
  const end = monotonicMs() + ORPHAN_LIMIT_MS;
  while (await takesConnections(url)) {
    if (monotonicMs() > end) return true;
    await pause(POLL_MS);
  }
  return false;
}

const ORPHAN_LIMIT_MS = 1000;
const READY_LIMIT_MS = 30_000;
const POLL_MS = 50;
const CHECK_LIMIT_MS = 2000;
/** A server may run for hours; only its last output is useful. */
const KEPT_BYTES = 0;

class Server implements StartedServer {
  private readonly group: ProcessGroup;
  private readonly output = new Capture(KEPT_BYTES);
  private exit: Exit | undefined;

  constructor(group: ProcessGroup) {
    this.group = group;
    group.child.stdout!.on('data', (chunk: Buffer) => this.output.add(chunk));
    group.child.stderr!.on('data', (chunk: Buffer) => this.output.add(chunk));
    void group.ended.then((exit) => {
      this.exit = exit;
    });
  }

  explainEnd(): string | undefined {
    if (this.exit === undefined) return undefined;
    return `${describeExit(this.exit) ?? 'exited with code 0'}${this.said()}`;
  }

  said(): string {
    const words = lastLines(this.output.text());
    return words === '' ? '' : `:\n${words}`;
  }

  stop(): Promise<void> {
    return this.group.stop();
  }
}

async function startGroup(
  argv: readonly string[],
  { name, cwd, env }: StartServerOptions,
): Promise<ProcessGroup> {
  try {
    return await ProcessGroup.start(argv, ['ignore', 'pipe', 'pipe'], { cwd, env });
  } catch (error) {
    throw new AgentSetupError(`${name}: the server cannot be started: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function chooseCheck({ url, healthcheck }: StartServerOptions): () => Promise<boolean> {
  return healthcheck === undefined ? () => takesConnections(url) : () => answersWell(healthcheck);
}

async function answersWell(address: URL): Promise<boolean> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(CHECK_LIMIT_MS) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

function takesConnections({ hostname, port, protocol }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({
      host,
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
      timeout: CHECK_LIMIT_MS,
    });
    const done = (takes: boolean) => {
      socket.destroy();
      resolve(takes);
    };
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
    socket.once('timeout', () => done(false));
  });
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => startTimer(resolve, durationMs));
}
