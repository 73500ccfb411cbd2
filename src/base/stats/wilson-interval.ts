/** A share, and its 95% confidence bounds. */
export interface ShareInterval {
  readonly count: number;
  readonly total: number;
  /** Undefined, like the bounds, if nothing was counted. */
  readonly share: number | undefined;
  readonly low: number | undefined;
  readonly high: number | undefined;
}

/** The 97.5% quantile of the normal distribution. */
const Z = 1.959963984540054;

/**
 * Wilson's score interval: unlike the usual one it stays within 0..1, and is right for few samples and for shares
 * near the ends.
 */
export function wilsonInterval(count: number, total: number, z = Z): ShareInterval {
  if (total === 0) return { count, total, share: undefined, low: undefined, high: undefined };
  const share = count / total;
  const centre = (share + (z * z) / (2 * total)) / (1 + (z * z) / total);
  const half =
    (z / (1 + (z * z) / total)) * Math.sqrt((share * (1 - share)) / total + (z * z) / (4 * total * total));
  return {
    count,
    total,
    share,
    low: count === 0 ? 0 : Math.max(0, centre - half),
    high: count === total ? 1 : Math.min(1, centre + half),
  };
}
