/**
 * Holm's correction: each p-value as it counts when all of them were looked at. Below alpha afterwards means that the
 * chance of even one false alarm among them is below alpha. The order is that of the input.
 */
export function holmCorrection(pValues: readonly number[]): readonly number[] {
  const order = pValues.map((_, index) => index).sort((a, b) => pValues[a]! - pValues[b]!);
  const corrected = Array.from<number>({ length: pValues.length });
  let largest = 0;
  for (const [rank, index] of order.entries()) {
    largest = Math.max(largest, Math.min(1, (pValues.length - rank) * pValues[index]!));
    corrected[index] = largest;
  }
  return corrected;
}
