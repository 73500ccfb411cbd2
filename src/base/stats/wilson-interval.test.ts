import * as fc from '../../../test/seeded-fast-check.ts';
import { expect, test } from 'vitest';
import { isClose, oracle } from '../../../test/stats/oracle.ts';
import { wilsonInterval } from './wilson-interval.ts';

interface Case {
  readonly count: number;
  readonly total: number;
  readonly low: number;
  readonly high: number;
}

test('agrees with the oracle', () => {
  const wrong = oracle<readonly Case[]>('wilson').filter(({ count, total, low, high }) => {
    const interval = wilsonInterval(count, total);
    return !isClose(interval.low!, low) || !isClose(interval.high!, high);
  });
  expect(wrong).toEqual([]);
});

const counts = fc
  .integer({ min: 1, max: 500 })
  .chain((total) => fc.record({ total: fc.constant(total), count: fc.integer({ min: 0, max: total }) }));

test('contains the share, lies within 0..1, and is symmetric', () => {
  fc.assert(
    fc.property(counts, ({ count, total }) => {
      const { low, high, share } = wilsonInterval(count, total);
      const turned = wilsonInterval(total - count, total);
      const isInside = 0 <= low! && low! <= share! && share! <= high! && high! <= 1;
      return isInside && isClose(low!, 1 - turned.high!) && isClose(high!, 1 - turned.low!);
    }),
  );
});

test('gets narrower with more data of the same share', () => {
  fc.assert(
    fc.property(counts, fc.integer({ min: 2, max: 9 }), ({ count, total }, times) => {
      const few = wilsonInterval(count, total);
      const many = wilsonInterval(count * times, total * times);
      return many.high! - many.low! < few.high! - few.low!;
    }),
  );
});

test('covers the truth in 95% of all samples, averaged over true shares', () => {
  const total = 50;
  let held = 0;
  const truths = Array.from({ length: 99 }, (_, index) => (index + 1) / 100);
  for (const truth of truths) {
    let chance = (1 - truth) ** total;
    for (let count = 0; count <= total; count++) {
      const { low, high } = wilsonInterval(count, total);
      if (low! <= truth && truth <= high!) held += chance;
      chance *= ((total - count) / (count + 1)) * (truth / (1 - truth));
    }
  }
  expect(held / truths.length).toBeGreaterThan(0.945);
  expect(held / truths.length).toBeLessThan(0.96);
});
