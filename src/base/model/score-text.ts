/** Thresholds are nearly always such numbers: 0.5, 0.8, 0.95, 1. */
const ROUND = 0.05;
/** Sums in floating point are this exact. */
const NOISE = 1e-9;
const MAX_DIGITS = 6;

/**
 * A score as every report shows it: `0.67`, rounded. It gets more digits where rounding would lie: less than 1 is
 * never shown as 1, more than 0 never as 0, and a score below a threshold never as if it had reached it.
 */
export function formatScore(
  score: number,
  { digits = 2, threshold }: { readonly digits?: number; readonly threshold?: number | undefined } = {},
): string {
  if (Math.abs(score) < NOISE) return '0';
  if (Math.abs(score - 1) < NOISE) return '1';
  for (let count = digits; count <= MAX_DIGITS; count++) {
    const text = rounded(score, count);
    if (!isTooMuch(Number(text), score, threshold) && Number(text) !== 0) return text;
  }
  return String(score);
}

/** Halves are rounded up: `toFixed` alone makes 0.99 of 0.995, which is a little less in binary. */
function rounded(score: number, digits: number): string {
  const size = 10 ** digits;
  return (Math.round(score * size + NOISE) / size).toFixed(digits);
}

function isTooMuch(shown: number, score: number, threshold: number | undefined): boolean {
  if (shown - score < NOISE) return false;
  return (
    isRound(shown) || (threshold !== undefined && score < threshold - NOISE && shown >= threshold - NOISE)
  );
}

function isRound(value: number): boolean {
  return Math.abs(value / ROUND - Math.round(value / ROUND)) < 1e-6;
}
