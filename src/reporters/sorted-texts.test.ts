import { expect, test } from 'vitest';
import { byCodePoint } from '../model/by-code-point.ts';
import { inFileOrder } from '../model/record-order.ts';
import type { AttemptRecord } from '../model/record.ts';
import { PLACE_WIDTH, PlaceKeys } from './place-keys.ts';
import { SortedTexts } from './sorted-texts.ts';

/** The same numbers in every run of the test. */
function* random(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state;
  }
}

const textOf = (number: number): string => {
  if (number % 997 === 0) return `${number} ${'é😀x'.repeat(30_000)}`;
  return number % 13 === 0 ? '' : `${number} é😀 ${'x'.repeat(number % 300)}`;
};

const ORDERS = {
  'the order of the keys': (numbers: readonly number[]) => numbers,
  'the reverse': (numbers: readonly number[]) => numbers.toReversed(),
  'nearly in order': (numbers: readonly number[]) =>
    numbers.toSorted((a, b) => a + ((a * 7919) % 50) - (b + ((b * 7919) % 50))),
  'any order': (numbers: readonly number[]) => {
    const ranks = random(1);
    const known = new Map(numbers.map((number) => [number, ranks.next().value]));
    return numbers.toSorted((a, b) => known.get(a)! - known.get(b)!);
  },
};

test.each(Object.keys(ORDERS) as (keyof typeof ORDERS)[])(
  'texts that came in %s are read in the order of their keys, from memory and from the file, and again',
  (order) => {
    const numbers = ORDERS[order](Array.from({ length: 5000 }, (_, number) => number));
    for (const memoryBytes of [2000, 300_000, undefined]) {
      const texts = new SortedTexts({ width: 2, memoryBytes });
      expect([...texts]).toEqual([]);
      for (const number of numbers) texts.add([Math.floor(number / 10), number % 10], textOf(number));
      for (const _ of [1, 2]) {
        const wrong: number[] = [];
        let next = 0;
        for (const { key, text } of texts) {
          if (key !== Math.floor(next / 10) || text !== textOf(next)) wrong.push(next);
          next++;
        }
        expect([next, wrong]).toEqual([5000, []]);
      }
      texts.close();
    }
  },
);

test('texts with equal keys keep their order, in memory, in the file and between both', () => {
  const texts = new SortedTexts({ width: 1, memoryBytes: 500 });
  for (let number = 0; number < 1000; number++) texts.add([number % 3], `${number}`);
  const read = [...texts].map(({ text }) => Number(text));
  expect(read).toEqual(
    Array.from({ length: 1000 }, (_, number) => number).toSorted((a, b) => (a % 3) - (b % 3)),
  );
  texts.add([0], 'last of its key');
  expect([...texts].findLast(({ key }) => key === 0)?.text).toBe('last of its key');
  texts.close();
});

test('places sort as the order of the files says, though names are numbered as they come', () => {
  const places = [...placesOf(['b.jsonl', 'a.jsonl', '\u{1f600}.jsonl', '\ufb01.jsonl'])];
  const sorted = places.toSorted((a, b) => inFileOrder(a, b) || a.repeat - b.repeat);
  for (const order of Object.values(ORDERS)) {
    const keys = new PlaceKeys();
    const texts = new SortedTexts({ width: PLACE_WIDTH, compare: keys.compare, memoryBytes: 1000 });
    for (const number of order(places.map((_, index) => index)))
      texts.add(keys.keyOf(places[number]!), JSON.stringify(places[number]));
    expect([...texts].map(({ text }) => JSON.parse(text) as unknown)).toEqual(
      sorted.map((place) => JSON.parse(JSON.stringify(place)) as unknown),
    );
    texts.close();
  }
  expect(sorted[0]!.file).toBe('a.jsonl');
  expect(byCodePoint(sorted.at(-1)!.file, '\u{1f600}.jsonl')).toBe(0);
});

type Place = Pick<AttemptRecord, 'file' | 'line' | 'column' | 'row' | 'test' | 'target' | 'repeat'>;

function* placesOf(files: readonly string[]): Generator<Place> {
  const rows = [undefined, { file: 'z.csv', line: 1, column: 1 }, { file: 'c.csv', line: 10, column: 2 }];
  for (const file of files)
    for (const line of [10, 9])
      for (const column of [1, 3])
        for (const row of rows)
          for (const target of ['t', 's'])
            for (const repeat of [2, 1, 10]) yield { file, line, column, row, test: 'x', target, repeat };
}
