import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { KILL_GRACE_MS } from './limits.ts';
import { readProcesses } from './process-table.ts';
import { SpawnError } from './spawn-error.ts';
import { createMark, findLeavers, killMarked, killSeen, markEnvironment, ownMark } from './strays.ts';
import { monotonicMs, runSoon, startTimer, stopTimer } from '../../base/system/system-time.ts';

export interface ProcessOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The environment is exactly `env`. A process that leaves the group can then be found only by its parent. */
  readonly isExactEnv?: boolean | undefined;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program and everything it starts, in their own process group, so that they can be ended together. */
export class ProcessGroup {
  readonly child: ChildProcess;
  /** The program has exited, its output has been read, and nothing of the group should keep running. */
  readonly ended: Promise<Exit>;
  readonly id: number;
  private readonly mark: string;
  private isOver = false;
  private stopping: Promise<void> | undefined;

  /** Throws a SpawnError if the program cannot be started. */
  static async start(
    argv: readonly string[],
    stdio: StdioOptions,
    { cwd, env, isExactEnv = false }: ProcessOptions,
  ): Promise<ProcessGroup> {
    const [program = '', ...args] = argv;
    const mark = createMark();
    try {
      const marked = isExactEnv ? env : markEnvironment(env, mark);
      const child = spawn(program, args, { cwd, env: marked, stdio, detached: true });
      // Without waiting: if this process exits, it must know of the group from the first moment.
      if (child.pid !== undefined) return new ProcessGroup(child, mark);
      throw await new Promise((resolve) => child.once('error', resolve));
    } catch (error) {
      throw new SpawnError(program, cwd, error as NodeJS.ErrnoException);
    }
  }

  private constructor(child: ChildProcess, mark: string) {
    this.child = child;
    this.id = child.pid!;
    this.mark = mark;
    killOnExit(this);
    // After a successful spawn, this event only reports a signal that could not be sent.
    child.on('error', () => {});
    for (const stream of child.stdio) stream?.on('error', () => {});
    this.ended = new Promise((resolve) => {
      child.once('exit', () => this.drain());
      child.once('close', (code, signal) => {
        this.stopping ??= this.killAndReap();
        resolve({ code, signal });
      });
    });
  }

  get hasExited(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /**
   * Asks the group to end. After the grace period, kills what is left of it and what has left it. Resolves when
   * everything is gone.
   */
  stop(): Promise<void> {
    this.stopping ??= this.askThenKill();
    return this.stopping;
  }

  /** Kills the group at once. */
  kill(): void {
    this.send('SIGKILL');
  }

  /** Ends a program that has done its work, started nothing, and would only take its time. */
  async discard(): Promise<void> {
    this.stopping ??= Promise.resolve();
    this.kill();
    await this.ended;
    this.forget();
  }

  private async askThenKill(): Promise<void> {
    mayHaveLeft = true;
    for (const stream of this.child.stdio) stream?.destroy();
    const leavers = findLeavers(new Set([this.id]));
    this.send('SIGTERM');
    if (await this.isGoneWithin(KILL_GRACE_MS)) this.forget();
    else await this.killAndReap();
    killSeen(leavers);
    killMarked(this.mark);
  }

  private async killAndReap(): Promise<void> {
    mayHaveLeft = true;
    if (this.send('SIGKILL')) await this.isGoneWithin(BURIAL_MS);
    this.forget();
  }

  /** From here on the process id may belong to another process. */
  private forget(): void {
    this.isOver = true;
    live.delete(this);
  }

  /**
   * When a program exits, its output is still in the pipes. A process that it left behind may hold them open
   * forever: it gets a moment, then it is killed. One that has left the group loses the pipes.
   */
  private drain(): void {
    const { child } = this;
    child.stdin?.destroy();
    const killing = startTimer(() => {
      if (this.stopping === undefined) this.kill();
    }, DRAIN_MS);
    const closing = startTimer(() => {
      // A blocked event loop runs its timers first: the pipes are read before they are closed.
      runSoon(() => {
        for (const stream of child.stdio) stream?.destroy();
      });
    }, 2 * DRAIN_MS);
    child.once('close', () => {
      stopTimer(killing);
      stopTimer(closing);
    });
  }

  private async isGoneWithin(limitMs: number): Promise<boolean> {
    const end = monotonicMs() + limitMs;
    for (let waitMs = 1; this.isAlive(); waitMs = Math.min(2 * waitMs, 50)) {
      const leftMs = end - monotonicMs();
      if (leftMs <= 0) return false;
      await new Promise<void>((resolve) => startTimer(resolve, Math.min(waitMs, leftMs)));
    }
    return true;
  }

  /** To `kill`, dead processes are members until they are reaped; only Linux tells them apart. */
  private isAlive(): boolean {
    if (!this.send(0)) return false;
    if (!this.hasExited || process.platform !== 'linux') return true;
    return readProcesses().some(({ group, isDead }) => group === this.id && !isDead);
  }

  /** Whether there was a process to send it to. */
  private send(signal: NodeJS.Signals | 0): boolean {
    if (this.isOver) return false;
    try {
      return process.kill(-this.id, signal);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== 'ESRCH';
    }
  }
}

/** Time to read a program's output after it exited. */
const DRAIN_MS = 100;
/** Time for a killed process to disappear. */
const BURIAL_MS = 1000;

const live = new Set<ProcessGroup>();
/** A program has ended that may have started others, which left its group. */
let mayHaveLeft = false;

/** No started process outlives us, unless it left its group and hides its origin. */
function killOnExit(group: ProcessGroup): void {
  live.add(group);
  // The listener goes with the command that was under way.
  if (!process.listeners('exit').includes(killAll)) process.on('exit', killAll);
}

function killAll(): void {
  // To look at every process of the machine takes a while.
  if (live.size === 0 && !mayHaveLeft) return;
  const leavers = live.size === 0 ? [] : findLeavers(new Set([...live].map(({ id }) => id)));
  for (const each of live) each.kill();
  killSeen(leavers);
  killMarked(ownMark());
}
