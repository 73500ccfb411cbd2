import * as fc from '../../../test/seeded-fast-check.ts';
import { describe, expect, test } from 'vitest';
import { expectClose, oracle } from '../../../test/stats-oracle.ts';
import { mcnemarTest } from './mcnemar-test.ts';
import { pairedRateInterval } from './paired-rate-interval.ts';
import { pairsToSettle } from './pairs-to-settle.ts';

const SETTLE = { alpha: 0.05, power: 0.8 };
const count = fc.integer({ min: 0, max: 400 });
const counts = fc.record({ better: count, worse: count });
const rates = fc.tuple(count, count, count).map(([better, worse, alike]) => ({
  better,
  worse,
  pairs: better + worse + alike,
}));

describe("McNemar's exact test", () => {
  test.each(oracle.mcnemar)('$better better, $worse worse', ({ better, worse, p }) => {
    expectClose(mcnemarTest({ better, worse }), p);
  });

  test('is a probability, is symmetric, and falls as the split grows more uneven', () => {
    fc.assert(
      fc.property(counts, ({ better, worse }) => {
        const p = mcnemarTest({ better, worse });
        expect(p).toBeGreaterThan(0);
        expect(p).toBeLessThanOrEqual(1);
        expect(mcnemarTest({ better: worse, worse: better })).toBe(p);
        if (worse >= better) expect(mcnemarTest({ better, worse: worse + 1 })).toBeLessThanOrEqual(p);
      }),
    );
  });

  test('raises no more false alarms than alpha', () => {
    for (const total of [5, 10, 25, 60]) {
      let alarms = 0;
      for (let worse = 0, ways = 1; worse <= total; ways *= (total - worse) / (worse + 1), worse++)
        if (mcnemarTest({ better: total - worse, worse }) <= 0.05) alarms += ways / 2 ** total;
      expect(alarms).toBeLessThanOrEqual(0.05);
    }
  });
});

describe("Tango's interval of a paired difference", () => {
  test.each(oracle.paired_rate_interval)(
    '$better better, $worse worse of $pairs',
    ({ better, worse, pairs, value_low_high: [value, low, high] }) => {
      const interval = pairedRateInterval({ better, worse, pairs })!;
      expect(interval.value).toBe(value);
      expect(interval.low).toBeCloseTo(low, 10);
      expect(interval.high).toBeCloseTo(high, 10);
    },
  );

  test('of nothing nothing is known', () => {
    expect(pairedRateInterval({ better: 0, worse: 0, pairs: 0 })).toBeUndefined();
  });

  test('contains the estimate, stays within -1..1, and is negated when the sides are swapped', () => {
    fc.assert(
      fc.property(rates, ({ better, worse, pairs }) => {
        fc.pre(pairs > 0);
        const { value, low, high } = pairedRateInterval({ better, worse, pairs })!;
        expect(low).toBeGreaterThanOrEqual(-1);
        expect(low).toBeLessThanOrEqual(value);
        expect(high).toBeGreaterThanOrEqual(value);
        expect(high).toBeLessThanOrEqual(1);
        const swapped = pairedRateInterval({ better: worse, worse: better, pairs })!;
        expect(swapped.low).toBeCloseTo(-high, 9);
        expect(swapped.high).toBeCloseTo(-low, 9);
        const sure = pairedRateInterval({ better, worse, pairs }, 0.99)!;
        expect(sure.low).toBeLessThanOrEqual(low);
        expect(sure.high).toBeGreaterThanOrEqual(high);
      }),
    );
  });

  // Not simulated but summed: over every outcome that a number of pairs can have, by its probability.
  test.each([
    [10, 0.1, 0.1],
    [10, 0.3, 0.1],
    [20, 0.05, 0.15],
    [50, 0.05, 0.05],
    [30, 0.4, 0.1],
    [50, 0.1, 0.2],
  ])('covers the truth about 95% of the time: %d pairs, %d better, %d worse', (pairs, better, worse) => {
    const coverage = pairedCoverage(pairs, better, worse);
    expect(coverage).toBeGreaterThan(0.93);
    expect(coverage).toBeLessThan(0.995);
  });
});

function pairedCoverage(pairs: number, betterShare: number, worseShare: number): number {
  const truth = betterShare - worseShare;
  let covered = 0;
  for (let better = 0; better <= pairs; better++) {
    for (let worse = 0; better + worse <= pairs; worse++) {
      const { low, high } = pairedRateInterval({ better, worse, pairs })!;
      if (low > truth || high < truth) continue;
      const alike = pairs - better - worse;
      covered +=
        choose(pairs, better) *
        choose(pairs - better, worse) *
        betterShare ** better *
        worseShare ** worse *
        (1 - betterShare - worseShare) ** alike;
    }
  }
  return covered;
}

function choose(total: number, chosen: number): number {
  let ways = 1;
  for (let index = 0; index < chosen; index++) ways *= (total - index) / (index + 1);
  return ways;
}

describe('the number of pairs that would settle a comparison', () => {
  test.each(oracle.settle)('$better better, $worse worse of $pairs', ({ wanted, power, ...seen }) => {
    expect(pairsToSettle(seen, SETTLE)).toBe(wanted);
    // As the exact test really has it, then.
    expect(power).toBeGreaterThan(0.79);
    expect(power).toBeLessThanOrEqual(1);
  });

  test('a smaller difference needs more, and none at all cannot be settled', () => {
    expect(pairsToSettle({ better: 4, worse: 4, pairs: 50 }, SETTLE)).toBeUndefined();
    expect(pairsToSettle({ better: 0, worse: 0, pairs: 50 }, SETTLE)).toBeUndefined();
    fc.assert(
      fc.property(rates, ({ better, worse, pairs }) => {
        fc.pre(better > worse + 2);
        const wanted = pairsToSettle({ better, worse, pairs }, SETTLE)!;
        expect(
          pairsToSettle({ better: better - 1, worse: worse + 1, pairs }, SETTLE)!,
        ).toBeGreaterThanOrEqual(wanted);
        expect(pairsToSettle({ better: worse, worse: better, pairs }, SETTLE)).toBe(wanted);
      }),
    );
  });
});
