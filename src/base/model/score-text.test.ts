import { expect, test } from 'vitest';
import { formatScore } from './score-text.ts';

test.each([
  [0, '0'],
  [1, '1'],
  [2 / 3, '0.67'],
  [0.725, '0.73'],
  [0.125, '0.13'],
  [0.5, '0.50'],
  [0.999, '0.999'],
  [0.995, '0.995'],
  [0.9996, '0.9996'],
  [0.99999, '0.99999'],
  [0.9999999, '0.9999999'],
  [0.0004, '0.0004'],
  [0.7996, '0.7996'],
  [0.7949, '0.79'],
  [0.8004, '0.80'],
  [0.9496, '0.9496'],
  // Sums in floating point.
  [0.1 + 0.2 + 0.5, '0.80'],
  [0.7999999999999999, '0.80'],
  [0.9999999999999999, '1'],
])('%s is shown as %s', (score, text) => {
  expect(formatScore(score)).toBe(text);
});

test('a score below the threshold is never rounded up to it', () => {
  expect(formatScore(2 / 3, { threshold: 0.67 })).toBe('0.667');
  expect(formatScore(0.7196, { threshold: 0.72 })).toBe('0.7196');
  expect(formatScore(0.72, { threshold: 0.72 })).toBe('0.72');
  expect(formatScore(0.67, { threshold: 0.72 })).toBe('0.67');
});

test('rounding never shows a higher score, with any number of digits', () => {
  const wrong: string[] = [];
  for (const digits of [2, 3, 4])
    for (let step = 1; step <= 20_000; step++) {
      const score = step / 20_000 - 1e-7;
      const shown = Number(formatScore(score, { digits }));
      const isNear = Math.abs(shown - score) <= 0.5 * 10 ** -digits + 1e-9;
      const isSafe = shown > 0 && shown < 1 && (score > 0.8 || shown < 0.8);
      if (!isNear || !isSafe) wrong.push(`${score} as ${shown}`);
    }
  expect(wrong).toEqual([]);
});
