/** What the weighted mean of evaluators must reach where nobody says otherwise. */
export const DEFAULT_THRESHOLD = 0.8;
