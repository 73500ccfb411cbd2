import { expect, test } from 'vitest';
import { RunningSum } from './running-sum.ts';

test.each([
  [0.1, 10, 1],
  [0.01, 21, 0.21],
  [0.0003, 1_000_000, 300],
])('adding %d %d times gives %d', (amount, times, wanted) => {
  const sum = new RunningSum();
  for (let index = 0; index < times; index++) sum.add(amount);
  expect(sum.value).toBe(wanted);
});

test('a small amount after a large one is not lost', () => {
  const sum = new RunningSum();
  for (const amount of [1e16, 1, -1e16]) sum.add(amount);
  expect(sum.value).toBe(1);
});
