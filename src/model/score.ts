/**
 * A score of a judge that computes: 0 to 1, or undefined. A sum that floating point made 1.0000000000000002 is 1; nothing else is
 * brought into the range, for a 3 is no 1.
 */
export function readScore(score: number): number | undefined {
  if (score >= 0 && score <= 1) return score;
  if (score > 1 && score - 1 < ROUNDING) return 1;
  return score < 0 && -score < ROUNDING ? 0 : undefined;
}

const ROUNDING = 1e-9;
