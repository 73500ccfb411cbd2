import { epochMs, monotonicMs, timestamp as timestampOf } from '../../base/system/system-time.ts';

/** Time, as the runner sees it. */
export interface Clock {
  /** Milliseconds that only go forward. */
  now(): number;
  /** The time, as in records: `2026-11-15T10:14:16.412Z`. */
  timestamp(): string;
}

export const SYSTEM_CLOCK: Clock = { now: monotonicMs, timestamp };

let [lastMs, lastTimestamp] = [Number.NaN, ''];

/** Many fast tests start in one millisecond: it is formatted once. */
function timestamp(): string {
  const ms = epochMs();
  if (ms !== lastMs) [lastMs, lastTimestamp] = [ms, timestampOf(ms)];
  return lastTimestamp;
}

/** Rounded to a microsecond: more digits are noise, and cost time and space. */
export function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
