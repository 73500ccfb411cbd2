import { setImmediate as nextImmediate, setTimeout as waitFor } from 'node:timers/promises';

/*
 * Time and timers as they were before any user code was loaded. Agents and configs run in this process and may
 * replace the global ones, for fake timers or to look fast. What Assay measures and limits must not follow them.
 */

/** Milliseconds that only go forward. */
export const monotonicMs: () => number = performance.now.bind(performance);

/** Milliseconds since 1970. */
export const epochMs: () => number = Date.now.bind(Date);

const OwnDate = Date;
/** Bound, so that a call needs no look-up. */
const toIso = Function.prototype.call.bind(Date.prototype.toISOString) as (date: Date) => string;

/** `2026-11-15T10:14:16.412Z`; now by default. */
export function timestamp(ms: number = epochMs()): string {
  return toIso(new OwnDate(ms));
}

const setOwnTimeout = setTimeout;

/** A Node timer longer than this fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A timer that fires after `ms`, or earlier if that is longer than timers can wait. */
export function startTimer(onTime: () => void, ms: number): NodeJS.Timeout {
  return setOwnTimeout(onTime, ms > LONGEST_TIMER_MS ? LONGEST_TIMER_MS : ms);
}

export const startInterval: (onTime: () => void, ms: number) => NodeJS.Timeout = setInterval;

export const runSoon: (run: () => void) => unknown = setImmediate;

/** Also stops an interval. */
export const stopTimer: (timer: NodeJS.Timeout | undefined) => void = clearTimeout;

export const sleep: typeof waitFor = waitFor;

/** Gives timers, signals and the network a turn. */
export const nextTurn: typeof nextImmediate = nextImmediate;
