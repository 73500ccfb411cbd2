import { spawn, type ChildProcess } from 'node:child_process';

export interface ProcessEnd {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
}

/** A script and all it starts, in a process group of their own. */
export class ScriptProcess {
  readonly child: ChildProcess;
  /** The script has ended, what it printed has been read, and nothing it started is left in its group. */
  readonly ended: Promise<ProcessEnd>;
  private readonly group: number;

  /** Rejects when the program cannot be started. */
  static async start(
    argv: readonly string[],
    options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  ): Promise<ScriptProcess> {
    const [program = '', ...args] = argv;
    const child = spawn(program, args, { ...options, stdio: 'pipe', detached: true });
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    return new ScriptProcess(child);
  }

  private constructor(child: ChildProcess) {
    this.child = child;
    this.group = child.pid!;
    if (live.size === 0) process.on('exit', killAll);
    live.add(this);
    // A script that does not read its input ends in EPIPE, which is its right.
    for (const stream of child.stdio) stream?.on('error', () => {});
    child.on('error', () => {});
    child.once('exit', () => this.drain());
    this.ended = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        this.kill('SIGKILL');
        live.delete(this);
        if (live.size === 0) process.off('exit', killAll);
        resolve({ exitCode: code ?? undefined, signal: signal ?? undefined });
      });
    });
  }

  /** Asks the group to end, and kills what is left of it after the grace. */
  async stop(): Promise<void> {
    this.kill('SIGTERM');
    const killing = setTimeout(() => {
      this.kill('SIGKILL');
      for (const stream of this.child.stdio) stream?.destroy();
    }, GRACE_MS);
    await this.ended;
    clearTimeout(killing);
  }

  kill(signal: NodeJS.Signals): void {
    try {
      process.kill(-this.group, signal);
    } catch {
      // Nobody is left.
    }
  }

  /** Something the script left behind may hold its pipes open for ever. */
  private drain(): void {
    const killing = setTimeout(() => this.kill('SIGKILL'), DRAIN_MS);
    const closing = setTimeout(() => {
      for (const stream of this.child.stdio) stream?.destroy();
    }, 2 * DRAIN_MS);
    this.child.once('close', () => {
      clearTimeout(killing);
      clearTimeout(closing);
    });
  }
}

const GRACE_MS = 2000;
const DRAIN_MS = 100;

const live = new Set<ScriptProcess>();

function killAll(): void {
  for (const script of live) script.kill('SIGKILL');
}
