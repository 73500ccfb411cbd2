/** Time, as the runner sees it. */
export interface Clock {
  /** Milliseconds that only go forward. */
  now(): number;
  date(): Date;
}

export const SYSTEM_CLOCK: Clock = { now: () => performance.now(), date: () => new Date() };
