import { Worker } from 'node:worker_threads';
import { onCommandEnd } from '../../base/system/command-end.ts';
import { monotonicMs, startInterval, stopTimer } from '../../base/system/system-time.ts';
import { builtFile } from '../../agents/processes/built-file.ts';

/** What both threads know: how often this one did something, and the number of its oldest attempt (0: none). */
export const BEATS = 0;
export const OLDEST = 1;

export interface WatchdogData {
  readonly shared: SharedArrayBuffer;
  readonly timeoutMs: number;
}

/** Where the other thread finds what to call on this one. */
export const HOOK = 'assay.watchdog';

const BEAT_MS = 250;

interface Begun {
  readonly number: number;
  readonly startedAt: number;
}

/**
 * Notices when code in this process blocks the thread for longer than an attempt may take. No timer fires then and no
 * signal arrives, so another thread watches. It interrupts this one, even inside of the blocking code, to call `onBlocked`
 * with what is overdue, which is nothing between attempts: that must end the process. The watch lasts as long as the command.
 */
export class Watchdog<Attempt> {
  private readonly beats = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  /** In the order in which they began. */
  private readonly running = new Map<Attempt, Begun>();
  private readonly timeoutMs: number;
  private readonly onBlocked: (overdue: readonly Attempt[]) => void;
  /** The time in which nothing runs: what an earlier attempt left behind may block it. */
  private pause: Begun | undefined;
  private begun = 0;
  private worker: Worker | undefined;

  constructor(timeoutMs: number, onBlocked: (overdue: readonly Attempt[]) => void) {
    this.timeoutMs = timeoutMs;
    this.onBlocked = onBlocked;
  }

  /** The thread starts with the first one, which may already block. */
  begin(attempt: Attempt): void {
    this.worker ??= this.start();
    this.running.set(attempt, this.next());
    this.beat();
  }

  end(attempt: Attempt): void {
    if (!this.running.delete(attempt)) return;
    if (this.running.size === 0) this.pause = this.next();
    this.beat();
  }

  private start(): Worker {
    const workerData: WatchdogData = {
      shared: this.beats.buffer as SharedArrayBuffer,
      timeoutMs: this.timeoutMs,
    };
    // Without the options of this process, which may load code of the user.
    const worker = new Worker(builtFile('watchdog-thread'), { workerData, env: {}, execArgv: [] });
    worker.unref();
    // Where no thread can be started, the run goes on without it.
    worker.on('error', () => {});
    Object.assign(globalThis, { [Symbol.for(HOOK)]: () => this.look() });
    const beats = startInterval(() => this.beat(), BEAT_MS).unref();
    onCommandEnd(() => {
      stopTimer(beats);
      delete (globalThis as Record<symbol, unknown>)[Symbol.for(HOOK)];
      void worker.terminate();
    });
    return worker;
  }

  private next(): Begun {
    return { number: ++this.begun, startedAt: monotonicMs() };
  }

  private beat(): void {
    const [oldest = this.pause] = this.running.values();
    Atomics.store(this.beats, OLDEST, oldest?.number ?? 0);
    Atomics.add(this.beats, BEATS, 1);
  }

  private look(): void {
    const latest = monotonicMs() - this.timeoutMs;
    const overdue = [...this.running].filter(([, { startedAt }]) => startedAt <= latest);
    const { startedAt: pausedAt = Infinity } = this.running.size === 0 ? (this.pause ?? {}) : {};
    if (overdue.length > 0 || pausedAt <= latest) this.onBlocked(overdue.map(([attempt]) => attempt));
    else this.beat();
  }
}
