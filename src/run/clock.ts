/** Time, as the runner sees it. */
export interface Clock {
  /** Milliseconds that only go forward. */
  now(): number;
  date(): Date;
}

export const SYSTEM_CLOCK: Clock = { now: () => performance.now(), date: () => new Date() };

/** To a microsecond: more digits are noise, and cost time and room to write. */
export function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
