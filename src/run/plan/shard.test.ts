import { expect, test } from 'vitest';
import { BalancedShards } from './balance-shards.ts';
import { parseShard, shardOf } from './shard.ts';

const attempt = (name: string, repeat = 1) => ({
  id: `a.yaml::${name}::agent::${repeat}`,
  file: 'a.yaml',
  target: 'agent',
  test: { id: name },
});

/** Which tests each shard gets. */
function split(durations: Readonly<Record<string, number>>, names: readonly string[], total: number) {
  const known = Object.entries(durations).map(([name, ms]) => [`a.yaml::${name}::agent`, ms] as const);
  const balanced = new BalancedShards(new Map(known));
  for (const name of names) balanced.add(attempt(name));
  const shards = balanced.split(total);
  return Array.from({ length: total }, (_, index) =>
    names.filter((name) => shards.get(attempt(name).id) === index + 1),
  );
}

test('the longest tests are assigned first, each to the shard with the least work', () => {
  expect(split({ a: 10, b: 60, c: 50, d: 20 }, ['a', 'b', 'c', 'd'], 2)).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  expect(split({ a: 1, b: 1, c: 100 }, ['a', 'b', 'c'], 3)).toEqual([['c'], ['a'], ['b']]);
});

test('a new test counts as the mean of the others', () => {
  // new: 40
  expect(split({ a: 70, b: 30, c: 20 }, ['a', 'b', 'c', 'new'], 2)).toEqual([
    ['a', 'c'],
    ['b', 'new'],
  ]);
  // new: 10, like the others, and after them by its name
  expect(split({ a: 10, b: 10 }, ['a', 'b', 'new'], 2)).toEqual([['a', 'new'], ['b']]);
  expect(split({}, ['d', 'c', 'b', 'a'], 2)).toEqual([
    ['c', 'a'],
    ['d', 'b'],
  ]);
});

test('repeats of one test count as equally long', () => {
  const balanced = new BalancedShards(
    new Map([
      ['a.yaml::t::agent', 30],
      ['a.yaml::u::agent', 10],
    ]),
  );
  for (const repeat of [1, 2, 3]) balanced.add(attempt('t', repeat));
  balanced.add(attempt('u'));
  const shards = balanced.split(2);
  expect([1, 2, 3].map((repeat) => shards.get(attempt('t', repeat).id))).toEqual([1, 2, 1]);
  expect(shards.get(attempt('u').id)).toBe(2);
});

test.each([
  ['1/1', { index: 1, total: 1 }],
  ['2/5', { index: 2, total: 5 }],
  ['5/5', { index: 5, total: 5 }],
  ['6/5', undefined],
  ['0/5', undefined],
  ['1/0', undefined],
  ['1/05', undefined],
  ['1', undefined],
  ['a1/5', undefined],
  ['1/1000000', undefined],
])('%s', (text, shard) => {
  expect(parseShard(text)).toEqual(shard);
});

test('every attempt belongs to exactly one shard, chosen by its id alone', () => {
  const ids = Array.from({ length: 300 }, (_, index) => attempt(`t${index}`).id);
  const shards = ids.map((id) => shardOf(id, 3));
  expect(new Set(shards)).toEqual(new Set([1, 2, 3]));
  // The same on every machine and in every version: machines that share a plan must agree.
  expect(['a', 'b', 'c', 'd', 'e'].map((id) => shardOf(id, 1000))).toEqual([794, 880, 399, 731, 868]);
});
