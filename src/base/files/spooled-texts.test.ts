import { expect, test } from 'vitest';
import { SpooledTexts } from './spooled-texts.ts';

const textOf = (number: number): string => {
  if (number % 997 === 0) return `${number} ${'é😀x'.repeat(60_000)}`;
  return number % 13 === 0 ? '' : `${number} é😀 ${'x'.repeat(number % 300)}`;
};

test('texts are read as they were added, from memory and from the file, in any order, also while more are added', () => {
  const texts = new SpooledTexts();
  const places = Array.from({ length: 5000 }, (_, number) => {
    const place = texts.add(textOf(number));
    expect(texts.at(place) === textOf(number)).toBe(true);
    return place;
  });
  const orders = [
    (_: number, index: number) => index,
    (_: number, index: number) => -index,
    (number: number) => (number * 7919) % 5003,
    (number: number) => number + ((number * 7919) % 50),
  ];
  for (const rank of orders) {
    const numbers = places.map((_, number) => number).sort((a, b) => rank(a, a) - rank(b, b));
    expect(numbers.filter((number) => texts.at(places[number]!) !== textOf(number))).toEqual([]);
  }
  texts.close();
});

test('a few texts need no file, and closing twice is fine', () => {
  const texts = new SpooledTexts();
  const place = texts.add('a');
  expect(texts.at(place)).toBe('a');
  texts.close();
  texts.close();
});
