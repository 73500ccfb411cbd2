import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { KILL_GRACE_MS } from './contract.ts';
import { hasLivingMember } from './living-member.ts';
import { spawnError } from './spawn-error.ts';

export interface ProcessOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program and all it starts, in a process group of their own, so that they can be ended together. */
export class ProcessGroup {
  readonly child: ChildProcess;
  /** The program has exited, what it printed has been read, and nothing of the group is meant to run on. */
  readonly ended: Promise<Exit>;
  private readonly id: number;
  private isOver = false;
  private stopping: Promise<void> | undefined;

  /** Throws an AgentError when the program cannot be started. */
  static async start(
    argv: readonly string[],
    stdio: StdioOptions,
    { cwd, env }: ProcessOptions,
  ): Promise<ProcessGroup> {
    const [program = '', ...args] = argv;
    let child: ChildProcess;
    try {
      child = spawn(program, args, { cwd, env, stdio, detached: true });
      await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    } catch (error) {
      throw spawnError(program, cwd, error as NodeJS.ErrnoException);
    }
    return new ProcessGroup(child);
  }

  private constructor(child: ChildProcess) {
    this.child = child;
    this.id = child.pid!;
    killOnExit(this);
    // After a successful spawn this only tells of a signal that could not be sent.
    child.on('error', () => {});
    for (const stream of child.stdio) stream?.on('error', () => {});
    this.ended = new Promise((resolve) => {
      child.once('exit', () => this.drain());
      child.once('close', (code, signal) => {
        this.stopping ??= this.killAndBury();
        resolve({ code, signal });
      });
    });
  }

  get hasExited(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Asks the group to end and kills what is left of it after the grace. Resolves when it is gone. */
  stop(): Promise<void> {
    this.stopping ??= this.askThenKill();
    return this.stopping;
  }

  /** Ends the group without asking. */
  kill(): void {
    this.send('SIGKILL');
  }

  private async askThenKill(): Promise<void> {
    for (const stream of this.child.stdio) stream?.destroy();
    this.send('SIGTERM');
    if (await this.isGoneWithin(KILL_GRACE_MS)) this.forget();
    else await this.killAndBury();
  }

  private async killAndBury(): Promise<void> {
    if (this.send('SIGKILL')) await this.isGoneWithin(BURIAL_MS);
    this.forget();
  }

  /** From here on the number may belong to somebody else. */
  private forget(): void {
    this.isOver = true;
    live.delete(this);
  }

  /**
   * What the program wrote is still in the pipes when it exits. A process it left behind may hold them open for ever:
   * it gets a moment, then it is killed; one that has left the group loses the pipes.
   */
  private drain(): void {
    const { child } = this;
    child.stdin?.destroy();
    const killing = setTimeout(() => {
      if (this.stopping === undefined) this.kill();
    }, DRAIN_MS);
    const closing = setTimeout(() => {
      for (const stream of child.stdio) stream?.destroy();
    }, 2 * DRAIN_MS);
    child.once('close', () => {
      clearTimeout(killing);
      clearTimeout(closing);
    });
  }

  private async isGoneWithin(limitMs: number): Promise<boolean> {
    const end = performance.now() + limitMs;
    for (let waitMs = 1; this.isAlive(); waitMs = Math.min(2 * waitMs, 50)) {
      const leftMs = end - performance.now();
      if (leftMs <= 0) return false;
      await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, leftMs)));
    }
    return true;
  }

  private isAlive(): boolean {
    return this.send(0) && (!this.hasExited || hasLivingMember(this.id));
  }

  /** Whether there was anybody to send it to. */
  private send(signal: NodeJS.Signals | 0): boolean {
    if (this.isOver) return false;
    try {
      return process.kill(-this.id, signal);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== 'ESRCH';
    }
  }
}

/** For what a program printed to be read after it exited. */
const DRAIN_MS = 100;
/** For a killed process to be gone. */
const BURIAL_MS = 1000;

const live = new Set<ProcessGroup>();
let isWatchingExit = false;

function killOnExit(group: ProcessGroup): void {
  live.add(group);
  if (isWatchingExit) return;
  isWatchingExit = true;
  process.on('exit', () => {
    for (const each of live) each.kill();
  });
}
