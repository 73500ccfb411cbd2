import type { Summary } from '../model/summary.ts';

interface Outcome {
  readonly summary: Summary;
  /** A file, the config or the usage was wrong. */
  readonly hasErrors: boolean;
  readonly passWithNoTests: boolean;
}

/**
 * 130 interrupted; 2 something was invalid, or nothing was run; 1 a test failed; 3 nothing failed, but something could
 * not be measured; else 0.
 */
export function exitCodeOf({ summary, hasErrors, passWithNoTests }: Outcome): number {
  if (summary.interrupted) return 130;
  const nothingRan = summary.tests === summary.skipped;
  if (hasErrors || (nothingRan && !passWithNoTests)) return 2;
  if (summary.failed > 0) return 1;
  return summary.error > 0 ? 3 : 0;
}
