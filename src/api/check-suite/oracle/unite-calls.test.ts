import { expect, test } from 'vitest';
import type { Json } from '../../../base/model/json.ts';
import type { RequiredCall } from '../../../base/model/reply-requirements.ts';
import { unite } from './unite-calls.ts';

type Freedom = 'partial' | 'exact' | 'deep' | 'most';

function call(input: Json | undefined, freedom: Freedom = 'partial'): RequiredCall {
  return {
    tool: 'a',
    input,
    isExact: freedom === 'exact',
    isDeep: freedom === 'deep',
    isMost: freedom === 'most',
  };
}

/** The input of the call that is both, and what it leaves open; undefined when there is none. */
function both(a: RequiredCall, b: RequiredCall) {
  const one = unite(a, b);
  return one === undefined ? undefined : [one.input, one.isExact, one.isDeep, one.isMost];
}

test('calls of different tools are never merged', () => {
  expect(unite({ tool: 'a' }, { tool: 'b' })).toBeUndefined();
  expect(unite({ tool: 'a' }, { tool: 'a' })).toEqual({ tool: 'a' });
});

test('a call without arguments matches any call of its tool', () => {
  expect(unite({ tool: 'a' }, call({ x: 1 }, 'exact'))).toEqual(call({ x: 1 }, 'exact'));
  expect(unite(call({ x: 1 }, 'exact'), { tool: 'a' })).toEqual(call({ x: 1 }, 'exact'));
});

test.each<[Json, Freedom, Json, Freedom, readonly unknown[] | undefined]>([
  // Both may have more keys: together they have all of them.
  [{ x: 1 }, 'partial', { y: 2 }, 'partial', [{ x: 1, y: 2 }, false, false, false]],
  [{ x: 1 }, 'partial', { x: 1 }, 'partial', [{ x: 1 }, false, false, false]],
  [{ x: 1 }, 'partial', { x: 2 }, 'partial', undefined],
  [{ x: { a: 1 } }, 'partial', { x: { b: 2 } }, 'partial', undefined],
  [{ x: { a: 1 } }, 'deep', { x: { b: 2 } }, 'deep', [{ x: { a: 1, b: 2 } }, false, true, false]],
  [{ x: [{ a: 1 }] }, 'deep', { x: [{ b: 2 }] }, 'deep', [{ x: [{ a: 1, b: 2 }] }, false, true, false]],
  [{ x: [{ a: 1 }] }, 'deep', { x: [{ b: 2 }, {}] }, 'deep', undefined],
  [{ x: [{ a: 1 }] }, 'deep', { x: [{ a: 2 }] }, 'deep', undefined],
  [{ x: [1] }, 'deep', { x: { a: 1 } }, 'deep', undefined],
  [{ x: { a: 1 } }, 'deep', { x: { a: 2 } }, 'deep', undefined],
  // Exactly the one: the other must be a part of it.
  [{ x: 1, y: 2 }, 'exact', { x: 1 }, 'partial', [{ x: 1, y: 2 }, true, false, false]],
  [{ x: 1 }, 'partial', { x: 1, y: 2 }, 'exact', [{ x: 1, y: 2 }, true, false, false]],
  [{ x: 1 }, 'exact', { x: 1, y: 2 }, 'partial', undefined],
  [{ x: { a: 1, b: 2 } }, 'exact', { x: { a: 1 } }, 'deep', [{ x: { a: 1, b: 2 } }, true, false, false]],
  [{ x: { a: 1, b: 2 } }, 'exact', { x: { a: 1 } }, 'partial', undefined],
  [{ x: 1 }, 'exact', { x: 1 }, 'exact', [{ x: 1 }, true, false, false]],
  [{ x: 1 }, 'exact', { x: 2 }, 'exact', undefined],
  // At most the one: the other has nothing else.
  [{ x: 1 }, 'exact', { x: 1, y: 2 }, 'most', [{ x: 1 }, true, false, false]],
  [{ x: 1, y: 2 }, 'most', { x: 1 }, 'exact', [{ x: 1 }, true, false, false]],
  [{ x: 1, z: 3 }, 'exact', { x: 1, y: 2 }, 'most', undefined],
  [{ x: 2 }, 'exact', { x: 1, y: 2 }, 'most', undefined],
  [{ x: 1, y: 2 }, 'most', { y: 2, z: 3 }, 'most', [{ y: 2 }, false, false, true]],
  [{ x: 1 }, 'most', { x: 2 }, 'most', [{}, false, false, true]],
  [{ x: 1, y: 2 }, 'most', { x: 1 }, 'partial', [{ x: 1, y: 2 }, true, false, false]],
  [{ x: 1 }, 'most', { y: 1 }, 'partial', undefined],
  // What is no object is one or the other.
  [[1], 'partial', [1], 'exact', [[1], true, false, false]],
  [[1], 'partial', [2], 'partial', undefined],
  [[1], 'partial', { x: 1 }, 'partial', undefined],
])('%j (%s) and %j (%s)', (a, aFreedom, b, bFreedom, one) => {
  expect(both(call(a, aFreedom), call(b, bFreedom))).toEqual(one);
});
