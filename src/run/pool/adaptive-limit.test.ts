import { expect, test } from 'vitest';
import { AdaptiveLimit } from './adaptive-limit.ts';

const never = new AbortController().signal;

/** How many get in at once. */
async function admitted(limit: AdaptiveLimit, wanted: number): Promise<number> {
  let count = 0;
  for (let index = 0; index < wanted; index++) void limit.acquire(never).then(() => count++);
  await new Promise((resolve) => setImmediate(resolve));
  return count;
}

test('only as many as allowed are admitted, and the next one when one leaves', async () => {
  const limit = new AdaptiveLimit(2);
  let inside = 0;
  for (let index = 0; index < 3; index++) void limit.acquire(never).then(() => inside++);
  await new Promise((resolve) => setImmediate(resolve));
  expect(inside).toBe(2);
  limit.release();
  await new Promise((resolve) => setImmediate(resolve));
  expect(inside).toBe(3);
});

test('later arrivals do not overtake those already admitted', async () => {
  const limit = new AdaptiveLimit(1);
  await limit.acquire(never);
  const order: string[] = [];
  const waiting = limit.acquire(never).then(() => order.push('waited'));
  limit.release();
  void limit.acquire(never).then(() => order.push('came later'));
  await waiting;
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual(['waited']);
});

test('overload halves the limit, down to one; clean rounds raise it again, up to its maximum', async () => {
  const limit = new AdaptiveLimit(8);
  for (let index = 0; index < 5; index++) limit.tooMuch();
  expect(limit.current).toBe(1);
  expect(await admitted(limit, 3)).toBe(1);
  for (let index = 0; index < 200; index++) limit.clean();
  expect(limit.current).toBe(8);
});

test('those who wait when the run is aborted stop waiting and take no place', async () => {
  const limit = new AdaptiveLimit(1);
  await limit.acquire(never);
  const abort = new AbortController();
  const waiting = limit.acquire(abort.signal);
  abort.abort(new Error('over'));
  await expect(waiting).rejects.toThrow('over');
  limit.release();
  expect(await admitted(limit, 2)).toBe(1);
});
