import { expect, test } from 'vitest';
import { hashHex, hashText } from './hash-text.ts';
import { isAmbiguousDate, readDate } from './read-date.ts';
import { hideCredentials, urlCredentials } from './url-credentials.ts';

test.each([
  ['https://ann:p%40ss@host/path', { username: 'ann', password: 'p@ss' }, 'https://[redacted]@host/path'],
  ['redis://:secret@host:6379/0', { username: '', password: 'secret' }, 'redis://[redacted]@host:6379/0'],
  ['https://ann@host', { username: 'ann', password: '' }, 'https://[redacted]@host'],
  ['https://a:%ff@host', { username: 'a', password: '%ff' }, 'https://[redacted]@host'],
  ['https://host/a@b', undefined, 'https://host/a@b'],
  ['ann@host', undefined, 'ann@host'],
  ['./agent.mjs', undefined, './agent.mjs'],
])('%s', (text, credentials, shown) => {
  expect(urlCredentials(text)).toEqual(credentials);
  expect(hideCredentials(text)).toBe(shown);
});

test('a hash always has sixteen digits, and equal texts have equal hashes', () => {
  const texts = Array.from({ length: 2000 }, (_, index) => `text ${index}`);
  const hashes = texts.map(hashHex);
  expect(hashes.every((hash) => /^[0-9a-f]{16}$/.test(hash))).toBe(true);
  expect(new Set(hashes).size).toBe(2000);
  expect(hashHex('a')).toBe(
    hashText('a')
      .map((half) => half.toString(16).padStart(8, '0'))
      .join(''),
  );
});

test('dates of up to a hundred characters are read', () => {
  const padded = (length: number): string => '03/04/2025'.padEnd(length);
  expect([isAmbiguousDate(padded(100)), isAmbiguousDate(padded(101))]).toEqual([true, false]);
  expect(
    ['03/04/2025', '13/04/2025', '04/13/2025', '04/04/2025', '12/11/2025', '2025-03-04', 'soon'].map(
      isAmbiguousDate,
    ),
  ).toEqual([true, false, false, false, true, false, false]);
  expect(readDate('03/04/2025', [])).toEqual({ year: 2025, month: 3, day: 4 });
  expect(readDate('03/04/2025', ['DD/MM/YYYY'])).toEqual({ year: 2025, month: 4, day: 3 });
  expect(readDate('31/02/2025', ['DD/MM/YYYY'])).toBeUndefined();
  expect(readDate('29.02.2024', ['DD.MM.YYYY'])).toEqual({ year: 2024, month: 2, day: 29 });
  expect(readDate('29.02.2023', ['DD.MM.YYYY'])).toBeUndefined();
  expect(readDate('29/02/2000', [])).toEqual({ year: 2000, month: 2, day: 29 });
  expect(readDate('29/02/1900', [])).toBeUndefined();
  expect(readDate('1/2/25', [])).toEqual({ year: 2025, month: 1, day: 2 });
  expect(readDate('13-2-25', [])).toBeUndefined();
  expect(readDate('3.4.2025', [])).toBeUndefined();
  expect(readDate('13.4.2025', [])).toEqual({ year: 2025, month: 4, day: 13 });
});
