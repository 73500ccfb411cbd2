interface RetryDelay {
  /** The first wait; each is twice the one before. */
  readonly firstMs?: number | undefined;
  /** How long the other side asks to be left alone. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * How long to wait before asking again, for the first time (0), the second (1) and so on. Half of it by chance, so that
 * many who failed together do not come back together. Undefined when the other side asks for more patience than we have.
 */
export function retryDelayMs(
  retry: number,
  { firstMs = FIRST_DELAY_MS, retryAfterMs = 0 }: RetryDelay,
): number | undefined {
  if (retryAfterMs > LONGEST_WAIT_MS) return undefined;
  const backoffMs = Math.min(LONGEST_DELAY_MS, firstMs * 2 ** retry) * (0.5 + Math.random() / 2);
  return Math.max(retryAfterMs, backoffMs);
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** Who asks for more than this is not coming back for this run. */
const LONGEST_WAIT_MS = 60_000;
