import { expect, test } from 'vitest';
import { dayWords } from './day-words.ts';

const now = new Date(2026, 10, 16, 9, 0).getTime();
const at = (...parts: readonly [number, number, number, number, number]): string =>
  new Date(...parts).toISOString();

test.each([
  [at(2026, 10, 16, 8, 5), '08:05'],
  [at(2026, 10, 15, 23, 59), 'yesterday'],
  [at(2026, 10, 15, 0, 1), 'yesterday'],
  [at(2026, 10, 13, 12, 0), 'Friday'],
  [at(2026, 10, 10, 12, 0), 'Tuesday'],
  [at(2026, 10, 9, 12, 0), '9 November'],
  [at(2024, 9, 12, 12, 0), '12 October 2024'],
  // A clock that was set back, and a time that is none.
  [at(2026, 10, 18, 9, 0), undefined],
  ['soon', undefined],
])('%s is %s', (iso, words) => {
  expect(dayWords(iso, now)).toBe(words);
});
