import { logChoose } from './log-choose.ts';

export interface Passes {
  readonly passed: number;
  readonly measured: number;
}

/**
 * Fisher's exact test, two-sided: how likely results at least as unusual as these are when both sides pass equally often.
 * For repeats of one test, which nothing pairs: the second repeat of one run has no more to do with the second of the
 * other than with the third.
 */
export function fisherTest(before: Passes, after: Passes): number {
  const measured = before.measured + after.measured;
  const passed = before.passed + after.passed;
  const lowest = Math.max(0, passed - after.measured);
  const highest = Math.min(passed, before.measured);
  const probabilities: number[] = [];
  for (let count = lowest; count <= highest; count++) {
    const ways = logChoose(before.measured, count) + logChoose(after.measured, passed - count);
    probabilities.push(Math.exp(ways - logChoose(measured, passed)));
  }
  const observed = probabilities[before.passed - lowest]! * (1 + ROUNDING);
  return Math.min(
    1,
    probabilities.filter((probability) => probability <= observed).reduce((sum, one) => sum + one, 0),
  );
}

/** Results that are exactly as unusual may come out apart in the last digits. */
const ROUNDING = 1e-7;
