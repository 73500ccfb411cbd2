import { expect, test } from 'vitest';
import { printPlaced } from '../../../test/formats/placed-json.ts';
import { assert, constantFrom, jsonValue, property } from '../../../test/seeded-fast-check.ts';
import type { Json } from '../../base/model/json.ts';
import { JsonPlaces } from './json-places.ts';

test('finds every value where it was printed', () => {
  assert(
    property(jsonValue({ maxDepth: 4 }), constantFrom('', ' ', '\n\t', '\r\n  '), (value, blank) => {
      const { text, places } = printPlaced(value as Json, blank);
      const found = new JsonPlaces(text);
      // In order and backwards: what was found before must not mislead.
      for (const { path, keyStart, start, value: placed } of [...places, ...places.toReversed()]) {
        expect(found.find(path, 'key')).toBe(keyStart);
        expect(found.find(path, 'value')).toBe(start);
        expect(found.find([...path, 'nowhere', 7], 'value')).toBe(start);
        if (!Array.isArray(placed)) expect(found.find([...path, 7], 'value')).toBe(start);
        else expect(found.find([...path, placed.length], 'key')).toBe(start);
      }
    }),
  );
});

test('reads escaped keys, and finds nothing for a path that does not exist', () => {
  const text = String.raw` {"a\"b": [1, "]", {"k": null}], "c": "}"} `;
  const places = new JsonPlaces(text);
  expect(places.find(['a"b', 2, 'k'], 'value')).toBe(text.indexOf('null'));
  expect(places.find(['c'], 'key')).toBe(text.indexOf('"c"'));
  expect(places.find(['c', 'd', 0], 'value')).toBe(text.indexOf('"}"'));
  expect(places.find(['gone'], 'value')).toBe(1);
});

test('finds values in long lists and objects, in any order', () => {
  const keys = (index: number): Json =>
    Object.fromEntries(Array.from({ length: 400 }, (_, key) => [`key ${key}`, `${index} ${'x'.repeat(90)}`]));
  const { text, places } = printPlaced(
    Array.from({ length: 5 }, (_, index) => ({
      list: Array.from({ length: 90 }, () => index),
      keys: keys(index),
    })),
    '\n',
  );
  const found = new JsonPlaces(text);
  // 911 and their number have no common divisor: every place, and hardly ever two of one list in a row.
  for (let index = 0; index < places.length; index++) {
    const { path, keyStart, start } = places[(index * 911) % places.length]!;
    expect([found.find(path, 'key'), found.find(path, 'value')]).toEqual([keyStart, start]);
  }
});
