/** Whether enough of what was planned was measured. A share of 0.9 in floating point may ask for 27.000000000000004 of 30. */
export function isCovered(
  { measured, planned }: { readonly measured: number; readonly planned: number },
  minCoverage: number,
): boolean {
  return measured >= minCoverage * planned - 1e-9;
}
