/**
 * Whether enough of the planned attempts were measured. In floating point, a share of 0.9 may require
 * 27.000000000000004 of 30.
 */
export function isCovered(
  { measured, planned }: { readonly measured: number; readonly planned: number },
  minCoverage: number,
): boolean {
  return measured >= minCoverage * planned - 1e-9;
}
