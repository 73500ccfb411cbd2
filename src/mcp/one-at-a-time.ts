import { monotonicMs } from '../base/system/system-time.ts';
import { Refusal } from './refusal.ts';

/** Runs share the machine, the agents and the budget: a second one is refused, not queued. */
export class OneAtATime {
  private current: { readonly what: string; readonly since: number } | undefined;

  async run<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    if (this.current !== undefined) {
      const seconds = Math.round((monotonicMs() - this.current.since) / 1000);
      throw new Refusal(
        `another run is in progress: ${this.current.what}, since ${seconds} s`,
        'wait for its answer, or cancel it; the other tools work meanwhile',
      );
    }
    this.current = { what, since: monotonicMs() };
    try {
      return await work();
    } finally {
      this.current = undefined;
    }
  }
}
