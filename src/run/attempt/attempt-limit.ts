import { AgentError } from '../../agents/contract.ts';
import { monotonicMs, startTimer, stopTimer } from '../../base/system/system-time.ts';

/**
 * The time limit of an attempt, as a signal. It is reused for one attempt after the other until it is aborted: a
 * new signal and timer for each would cost as much as a fast test.
 */
export class AttemptLimit {
  private readonly controller = new AbortController();
  private readonly run: AbortSignal;
  private readonly onRunAbort = (): void => {
    this.controller.abort(this.run.reason);
    // Otherwise the timer would keep everything alive that the signal references, until the timeout.
    stopTimer(this.timer);
  };
  private readonly timeoutMs: number;
  private startedAt: number | undefined;
  /** What the attempt waits for. */
  private awaited: Awaited = 'reply';
  private timer: NodeJS.Timeout | undefined;
  /** Kept here too: the agent also has the signal, and may have tampered with it. */
  private reached: AgentError | undefined;

  constructor(run: AbortSignal, timeoutMs: number) {
    this.timeoutMs = timeoutMs;
    this.run = run;
    if (run.aborted) this.onRunAbort();
    else run.addEventListener('abort', this.onRunAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Starts once there is a session: waiting for a free one is not the agent's fault. */
  start(): void {
    this.startedAt = monotonicMs();
    if (this.timer === undefined) this.timer = startTimer(() => this.look(), this.timeoutMs);
    else this.timer.ref();
  }

  /** Says what the time is needed for from now on: whoever takes too long is named. */
  waitFor(awaited: Awaited): void {
    this.awaited = awaited;
  }

  /** Between attempts the timer keeps no process alive. */
  end(): void {
    this.startedAt = undefined;
    this.timer?.unref();
  }

  /** It is not used again: release it from its timer and from the run's signal. */
  letGo(): void {
    stopTimer(this.timer);
    this.run.removeEventListener('abort', this.onRunAbort);
  }

  /**
   * Why the attempt must end now, if it must. It reads the clock, since no timer fires while an agent or an
   * evaluator blocks the thread. `late` says what came too late.
   */
  reasonToEnd(late: Awaited): unknown {
    const tookMs = this.startedAt === undefined ? 0 : monotonicMs() - this.startedAt;
    if (this.reached === undefined && !this.signal.aborted && tookMs > this.timeoutMs)
      this.reach(LATE[late](seconds(tookMs), seconds(this.timeoutMs)));
    return this.reached ?? (this.signal.aborted ? this.signal.reason : undefined);
  }

  /** An earlier attempt may have set the timer: then it is set again for the rest of this attempt's time. */
  private look(): void {
    this.timer = undefined;
    if (this.startedAt === undefined) return;
    const leftMs = this.startedAt + this.timeoutMs - monotonicMs();
    if (leftMs > 0) this.timer = startTimer(() => this.look(), Math.ceil(leftMs));
    else this.reach(MISSING[this.awaited](seconds(this.timeoutMs)));
  }

  /** The attempt ends now, for this reason. */
  endWith(error: AgentError): void {
    this.reached ??= error;
    this.controller.abort(this.reached);
  }

  private reach(message: string): void {
    this.endWith(new AgentError('timeout', message));
  }
}

type Awaited = 'reply' | 'verdict';

const MISSING = {
  reply: (limit: string) => `no reply after ${limit} (--timeout)`,
  verdict: (limit: string) =>
    `the reply came, but evaluating it did not end within ${limit}, which is what an attempt may take (--timeout)`,
};

const LATE = {
  reply: (took: string, limit: string) =>
    `the reply came after ${took}, but the limit for an attempt is ${limit} (--timeout)`,
  verdict: (took: string, limit: string) =>
    `evaluating the reply ended after ${took}, but the limit for an attempt is ${limit} (--timeout)`,
};

function seconds(ms: number): string {
  return `${Math.round(ms) / 1000} s`;
}

/** What an attempt needs of its time limit. */
export type TimeLimit = Pick<
  AttemptLimit,
  'endWith' | 'signal' | 'start' | 'waitFor' | 'end' | 'letGo' | 'reasonToEnd'
>;

/** One time limit for all replies together, and one for all evaluators. */
export class PhasedLimit implements TimeLimit {
  private readonly controller = new AbortController();
  private readonly run: AbortSignal;
  private readonly onRunAbort = (): void => {
    this.controller.abort(this.run.reason);
    stopTimer(this.timer);
  };
  private readonly limits: Readonly<Record<Awaited, number>>;
  private readonly spent = { reply: 0, verdict: 0 };
  private awaited: Awaited = 'reply';
  private since: number | undefined;
  private timer: NodeJS.Timeout | undefined;
  private reached: AgentError | undefined;

  constructor(run: AbortSignal, limits: Readonly<Record<Awaited, number>>) {
    this.limits = limits;
    this.run = run;
    if (run.aborted) this.onRunAbort();
    else run.addEventListener('abort', this.onRunAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  start(): void {
    this.since = monotonicMs();
    this.setTimer();
  }

  waitFor(awaited: Awaited): void {
    this.spent[this.awaited] = this.used();
    this.awaited = awaited;
    if (this.since !== undefined) this.start();
  }

  end(): void {
    this.spent[this.awaited] = this.used();
    this.since = undefined;
    stopTimer(this.timer);
  }

  letGo(): void {
    stopTimer(this.timer);
    this.run.removeEventListener('abort', this.onRunAbort);
  }

  reasonToEnd(): unknown {
    if (this.reached === undefined && !this.signal.aborted && this.used() > this.limits[this.awaited])
      this.reach();
    return this.reached ?? (this.signal.aborted ? this.signal.reason : undefined);
  }

  private used(): number {
    return this.spent[this.awaited] + (this.since === undefined ? 0 : monotonicMs() - this.since);
  }

  private setTimer(): void {
    stopTimer(this.timer);
    const leftMs = Math.max(0, this.limits[this.awaited] - this.spent[this.awaited]);
    this.timer = startTimer(() => this.reach(), Math.ceil(leftMs));
  }

  endWith(error: AgentError): void {
    this.reached ??= error;
    this.controller.abort(this.reached);
  }

  private reach(): void {
    const limit = seconds(this.limits[this.awaited]);
    this.endWith(
      new AgentError(
        'timeout',
        this.awaited === 'reply'
          ? `the agent did not end within ${limit} (timeouts.agent)`
          : `the evaluators did not end within ${limit} (timeouts.checks)`,
      ),
    );
  }
}

/** Limits that can be used again. */
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
    if (limit.reasonToEnd('reply') === undefined) this.idle.push(limit);
    else limit.letGo();
  }

  close(): void {
    for (const limit of this.idle.splice(0)) limit.letGo();
  }
}
