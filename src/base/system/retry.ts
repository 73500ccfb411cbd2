import { epochMs } from './system-time.ts';

/** How often to retry, and how long to wait. */
export interface RetryRules {
  /** The most retries. */
  readonly most?: number | undefined;
  /** The first wait. Default: 500. */
  readonly firstMs?: number | undefined;
  /** Each wait is this many times the previous one. Default: 2. */
  readonly factor?: number | undefined;
  /** The longest wait. Default: 30000. */
  readonly longestMs?: number | undefined;
}

interface RetryDelay extends RetryRules {
  /** How long the other side wants us to wait. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * How long to wait before the first retry (0), the second (1) and so on. Half of it is random, so that callers that
 * failed together do not all come back together. Undefined if the other side wants a longer wait than we allow.
 */
export function retryDelayMs(retry: number, delay: RetryDelay): number | undefined {
  const { firstMs = FIRST_DELAY_MS, factor = 2, longestMs = LONGEST_DELAY_MS, retryAfterMs = 0 } = delay;
  if (retryAfterMs > LONGEST_WAIT_MS) return undefined;
  const backoffMs = Math.min(longestMs, firstMs * factor ** retry) * (0.5 + Math.random() / 2);
  return Math.max(retryAfterMs, backoffMs);
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** A service that asks for more than this will not come back during this run. */
const LONGEST_WAIT_MS = 60_000;

/** How long a server wants us to wait: `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function readRetryAfter(header: (name: string) => string | null | undefined): number | undefined {
  const milliseconds = header('retry-after-ms');
  const value = milliseconds ?? header('retry-after');
  if (value === null || value === undefined) return undefined;
  const unitMs = milliseconds === value ? 1 : 1000;
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) * unitMs : Date.parse(value) - epochMs();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
