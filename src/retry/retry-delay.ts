/** How often and how late to ask again, where somebody says so. */
export interface RetryRules {
  /** How many times at most. */
  readonly most?: number | undefined;
  /** The first wait. Default: 500. */
  readonly firstMs?: number | undefined;
  /** Each wait is so many times the one before. Default: 2. */
  readonly factor?: number | undefined;
  /** No wait is longer. Default: 30000. */
  readonly longestMs?: number | undefined;
}

interface RetryDelay extends RetryRules {
  /** How long the other side asks to be left alone. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * How long to wait before asking again, for the first time (0), the second (1) and so on. Half of it by chance, so that
 * many who failed together do not come back together. Undefined when the other side asks for more patience than we have.
 */
export function retryDelayMs(retry: number, delay: RetryDelay): number | undefined {
  const { firstMs = FIRST_DELAY_MS, factor = 2, longestMs = LONGEST_DELAY_MS, retryAfterMs = 0 } = delay;
  if (retryAfterMs > LONGEST_WAIT_MS) return undefined;
  const backoffMs = Math.min(longestMs, firstMs * factor ** retry) * (0.5 + Math.random() / 2);
  return Math.max(retryAfterMs, backoffMs);
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** Who asks for more than this is not coming back for this run. */
const LONGEST_WAIT_MS = 60_000;
