import { expect, test } from 'vitest';
import { BoundedCache } from './bounded-cache.ts';

test('what was used longest ago goes first', () => {
  const cache = new BoundedCache<string>(6, (value) => value.length);
  cache.set('a', 'xx');
  cache.set('b', 'xx');
  cache.set('c', 'xx');
  cache.get('a');
  cache.set('d', 'xx');
  expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual(['xx', undefined, 'xx', 'xx']);
});

test('what is set stays, however heavy it is, and leaves room for nothing else', () => {
  const cache = new BoundedCache<string>(6, (value) => value.length);
  cache.set('a', 'xx');
  cache.set('b', 'xxxxxxxx');
  expect([cache.get('a'), cache.get('b')]).toEqual([undefined, 'xxxxxxxx']);
});

test('values that have grown are weighed anew', () => {
  const cache = new BoundedCache<number[]>(3, (value) => value.length);
  const growing = [1];
  cache.set('a', growing);
  cache.set('b', [1]);
  growing.push(2, 3);
  cache.set('c', [1]);
  expect(cache.get('a')).toBeUndefined();
  expect(cache.get('b')).toEqual([1]);
});
