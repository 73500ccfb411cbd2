/**
 * The score of a judge that computes: 0 to 1, or undefined. A floating-point sum of 1.0000000000000002 becomes 1;
 * nothing else is clamped, since a 3 is not a 1.
 */
export function readScore(score: number): number | undefined {
  if (score >= 0 && score <= 1) return score;
  if (score > 1 && score - 1 < ROUNDING) return 1;
  return score < 0 && -score < ROUNDING ? 0 : undefined;
}

const ROUNDING = 1e-9;
