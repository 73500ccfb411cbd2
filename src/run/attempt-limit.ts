import { AgentError } from '../agents/contract.ts';

/**
 * The time an attempt may take, as a signal. It is used for one attempt after the other as long as it was not aborted: a
 * signal and a timer for each would cost as much as a fast test.
 */
export class AttemptLimit {
  private readonly controller = new AbortController();
  private readonly timeoutMs: number;
  private startedAt: number | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(run: AbortSignal, timeoutMs: number) {
    this.timeoutMs = timeoutMs;
    if (run.aborted) this.controller.abort(run.reason);
    else run.addEventListener('abort', () => this.controller.abort(run.reason), { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** From when there is a session: waiting for a free one is not the agent's doing. */
  start(): void {
    this.startedAt = performance.now();
    if (this.timer === undefined) this.timer = setTimeout(() => this.look(), this.timeoutMs);
    else this.timer.ref();
  }

  /** Between attempts the timer keeps no process alive. */
  end(): void {
    this.startedAt = undefined;
    this.timer?.unref();
  }

  /** The timer was set by an earlier attempt, perhaps: then it is set anew for the rest of this one's time. */
  private look(): void {
    this.timer = undefined;
    if (this.startedAt === undefined) return;
    const leftMs = this.startedAt + this.timeoutMs - performance.now();
    if (leftMs > 0) this.timer = setTimeout(() => this.look(), Math.ceil(leftMs));
    else
      this.controller.abort(
        new AgentError('timeout', `no reply after ${this.timeoutMs / 1000} s (--timeout)`),
      );
  }
}

/** Limits that are free to be used again. */
export class LimitPool {
  private readonly idle: AttemptLimit[] = [];
  private readonly run: AbortSignal;
  private readonly timeoutMs: number;

  constructor(run: AbortSignal, timeoutMs: number) {
    this.run = run;
    this.timeoutMs = timeoutMs;
  }

  take(): AttemptLimit {
    return this.idle.pop() ?? new AttemptLimit(this.run, this.timeoutMs);
  }

  giveBack(limit: AttemptLimit): void {
    limit.end();
    if (!limit.signal.aborted) this.idle.push(limit);
  }
}
