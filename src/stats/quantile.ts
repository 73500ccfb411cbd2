/**
 * The value below which a share of the values lies. Between two values it is interpolated: with the values in order and
 * counted from 0, the place of the quantile is `share * (count - 1)`. Undefined for no values.
 */
export function quantile(values: readonly number[], share: number): number | undefined {
  return values.length === 0 ? undefined : quantileOfSorted(Float64Array.from(values).sort(), share);
}

/** The same of values in order, of which there is at least one. */
export function quantileOfSorted(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)]!;
  const above = sorted[Math.ceil(place)]!;
  return below + (above - below) * (place - Math.floor(place));
}
