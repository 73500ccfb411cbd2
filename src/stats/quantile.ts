/**
 * The value below which a share of the values lies. Between two values it is interpolated: with the values in order and
 * counted from 0, the place of the quantile is `share * (count - 1)`. Undefined for no values.
 */
export function quantile(values: readonly number[] | Float64Array, share: number): number | undefined {
  if (values.length === 0) return undefined;
  const sorted = Float64Array.from(values).sort();
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)]!;
  const above = sorted[Math.ceil(place)]!;
  return below + (above - below) * (place - Math.floor(place));
}
