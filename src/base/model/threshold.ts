/** The default that the weighted mean of evaluators must reach. */
export const DEFAULT_THRESHOLD = 0.8;

/** A mean of 0.8 computed in floating point may come out as 0.7999999999999999. */
const ROUNDING = 1e-9;

/** Whether a score reaches a threshold: an equal one does. */
export function reaches(score: number, threshold: number): boolean {
  return score >= threshold - ROUNDING;
}
