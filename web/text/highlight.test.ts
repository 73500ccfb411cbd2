import { expect, test } from 'vitest';
import { findRanges, rangesWithin } from './highlight.ts';

const marked = (text: string, ...wanted: Parameters<typeof findRanges>[1]): readonly string[] =>
  findRanges(text, wanted).map(({ start, end }) => text.slice(start, end));

test('a search ignores case and takes every character literally', () => {
  expect(marked('Refund (a+b) REFUND', { kind: 'found', text: 'refund' })).toEqual(['Refund', 'REFUND']);
  expect(marked('1.5 (a+b)* [x]', { kind: 'found', text: '(A+B)*' })).toEqual(['(a+b)*']);
  expect(marked('İstanbul istanbul', { kind: 'found', text: 'istanbul' })).toEqual(['istanbul']);
});

test('a quote may differ in spaces, but not in letters', () => {
  expect(marked('We have\n  refunded 120 GBP.', { kind: 'quote', text: 'have refunded  120' })).toEqual([
    'have\n  refunded 120',
  ]);
  expect(marked('we have', { kind: 'quote', text: 'We have' })).toEqual([]);
});

test('nothing is marked twice, an empty text marks nothing, and the number of marks is limited', () => {
  expect(marked('abcd', { kind: 'quote', text: 'abc' }, { kind: 'found', text: 'bcd' })).toEqual(['abc']);
  expect(marked('abcd', { kind: 'found', text: ' ' })).toEqual([]);
  expect(marked('a'.repeat(1_000_000), { kind: 'found', text: 'a' })).toHaveLength(1000);
});

test('a range over two pieces is marked in both', () => {
  const ranges = findRanges('one two three', [{ kind: 'found', text: 'two three' }]);
  expect(rangesWithin(ranges, 0, 7)).toMatchObject([{ start: 4, end: 7 }]);
  expect(rangesWithin(ranges, 7, 6)).toMatchObject([{ start: 0, end: 6 }]);
});
