import { expect, test } from 'vitest';
import { quantile } from './quantile.ts';

test.each([
  [[], 0.5, undefined],
  [[7], 0.95, 7],
  [[4, 1, 3, 2], 0, 1],
  [[4, 1, 3, 2], 1, 4],
  [[4, 1, 3, 2], 0.5, 2.5],
  [[10, 20], 0.25, 12.5],
  [[1, 2, 3, 4, 5], 0.95, 4.8],
  [[-4, -1], 0.5, -2.5],
])('of %j, %d: %d', (values, share, expected) => {
  if (expected === undefined) expect(quantile(values, share)).toBeUndefined();
  else expect(quantile(values, share)).toBeCloseTo(expected, 12);
});
