import { expect, test } from 'vitest';
import { BoundedCache } from './bounded-cache.ts';

test('the least recently used value is removed first', () => {
  const cache = new BoundedCache<string>(6, (value) => value.length);
  cache.set('a', 'xx');
  cache.set('b', 'xx');
  cache.set('c', 'xx');
  cache.get('a');
  cache.set('d', 'xx');
  expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual(['xx', undefined, 'xx', 'xx']);
});

test('a new value stays, however large, and may leave room for nothing else', () => {
  const cache = new BoundedCache<string>(6, (value) => value.length);
  cache.set('a', 'xx');
  cache.set('b', 'xxxxxxxx');
  expect([cache.get('a'), cache.get('b')]).toEqual([undefined, 'xxxxxxxx']);
});

test('values that have grown are measured again', () => {
  const cache = new BoundedCache<number[]>(3, (value) => value.length);
  const growing = [1];
  cache.set('a', growing);
  cache.set('b', [1]);
  growing.push(2, 3);
  cache.set('c', [1]);
  expect(cache.get('a')).toBeUndefined();
  expect(cache.get('b')).toEqual([1]);
});
