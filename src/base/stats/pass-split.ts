import { logChoose } from './log-choose.ts';
import type { PassCounts } from './pass-counts.ts';

/** One test in two runs. */
export interface TestCounts {
  readonly before: PassCounts;
  readonly after: PassCounts;
}

/** The probability of each number, from `low` on. */
export interface Distribution {
  readonly low: number;
  readonly chances: Float64Array;
}

/**
 * How the passes of a test could have been split between its two runs if it passes equally often in both: the
 * probability of each number of passes after. The rate need not be known, since any attempts are then equally
 * likely to be the ones that passed.
 */
export function passSplit({ before, after }: TestCounts): Distribution {
  const passed = before.passed + after.passed;
  const low = Math.max(0, passed - before.measured);
  const high = Math.min(passed, after.measured);
  const all = logChoose(before.measured + after.measured, passed);
  const chances = Float64Array.from({ length: high - low + 1 }, (_, index) =>
    Math.exp(logChoose(after.measured, low + index) + logChoose(before.measured, passed - low - index) - all),
  );
  return { low, chances };
}

/** Tests with the same key have the same split. */
export function splitKey({ before, after }: TestCounts): string {
  return `${before.measured} ${after.measured} ${before.passed + after.passed}`;
}
