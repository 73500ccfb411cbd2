import type { PairedRates } from './paired-rate-interval.ts';
import type { TestCounts } from './pass-split.ts';

/** Tests over all ways to pair their attempts, and the share of pairs that differ without any change. */
export interface AveragedPairs extends PairedRates {
  readonly noise: number;
}

/**
 * Nothing links the second attempt of one run with the second of the other, so every way to pair the attempts of a
 * test counts the same, and the result is the mean. With different numbers of attempts, the harmonic mean is
 * paired; this gives a test the same weight as the exact test does.
 */
export function averagedPairs(tests: readonly TestCounts[]): AveragedPairs {
  const sum = { pairs: 0, better: 0, worse: 0 };
  const single = { better: 0, worse: 0 };
  let noisy = 0;
  for (const { before, after } of tests) {
    const attempts = before.measured + after.measured;
    const passed = before.passed + after.passed;
    const pairs = (2 * before.measured * after.measured) / attempts;
    const [rate, other] = [before.passed / before.measured, after.passed / after.measured];
    const [better, worse] = [pairs * (1 - rate) * other, pairs * rate * (1 - other)];
    sum.pairs += pairs;
    sum.better += better;
    sum.worse += worse;
    if (attempts > 2) noisy += (pairs * 2 * passed * (attempts - passed)) / (attempts * (attempts - 1));
    else {
      single.better += better;
      single.worse += worse;
    }
  }
  // One attempt on each side cannot tell a change from noise: changes in both directions are noise.
  noisy += 2 * Math.min(single.better, single.worse);
  return { ...sum, noise: sum.pairs === 0 ? 0 : noisy / sum.pairs };
}
