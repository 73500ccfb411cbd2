import { expect, test } from 'vitest';
import { pairsToSettle } from './pairs-to-settle.ts';

const OPTIONS = { alpha: 0.05, power: 0.8 };

test('no number of pairs settles a difference of zero or of rounding size', () => {
  const better = 0.1 + 0.2;
  const worse = 0.3;
  expect(better).not.toBe(worse);
  expect(pairsToSettle({ better, worse, pairs: 12 }, OPTIONS)).toBeUndefined();
  expect(pairsToSettle({ better: 3, worse: 3, pairs: 12 }, OPTIONS)).toBeUndefined();
  expect(pairsToSettle({ better: 6, worse: 1, pairs: 12 }, OPTIONS)).toBeGreaterThan(5);
});
