import { expect, test } from 'vitest';
import { isNear, readNumber } from './read-number.ts';

test('without a tolerance, numbers are compared to the last bit', () => {
  const exactly = { tolerance: 0, relative: false };
  expect(isNear(0.3, 0.1 + 0.2, exactly)).toBe(false);
  expect(isNear(0.3, 0.3, exactly)).toBe(true);
  expect(isNear(1, 1 + Number.EPSILON, exactly)).toBe(false);
  expect(isNear(0.3, 0.1 + 0.2, { tolerance: 0, relative: true })).toBe(false);
});

test('a difference of exactly the tolerance passes, also for decimal numbers', () => {
  expect(isNear(1, 1.1, { tolerance: 0.1, relative: false })).toBe(true);
  expect(isNear(1, 1.1000001, { tolerance: 0.1, relative: false })).toBe(false);
  expect(isNear(200, 220, { tolerance: 0.1, relative: true })).toBe(true);
  expect(isNear(-200, -220.1, { tolerance: 0.1, relative: true })).toBe(false);
});

test('large integers are compared exactly', () => {
  const big = 2n ** 60n;
  expect(isNear(big, big + 1n, { tolerance: 0, relative: false })).toBe(false);
  expect(isNear(big, big + 1n, { tolerance: 1, relative: false })).toBe(true);
});

test('numbers are read from texts, and a decimal comma is not a number', () => {
  expect(['1,234.50', ' -2e3 ', '+7', '.5', '5.'].map((text) => readNumber(text))).toEqual([
    1234.5, -2000, 7, 0.5, 5,
  ]);
  expect(['1,5', '', '.', 'x', '1e999', '12,34'].map((text) => readNumber(text))).toEqual(
    Array.from({ length: 6 }),
  );
});
