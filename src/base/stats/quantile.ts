/**
 * The value that a share of the values is below, interpolated between two values: in sorted order, counted from 0,
 * the quantile is at `share * (count - 1)`. Undefined without values.
 */
export function quantile(values: readonly number[], share: number): number | undefined {
  return values.length === 0 ? undefined : quantileOfSorted(Float64Array.from(values).sort(), share);
}

/** The same for a non-empty sorted list. */
export function quantileOfSorted(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)]!;
  const above = sorted[Math.ceil(place)]!;
  return below + (above - below) * (place - Math.floor(place));
}
