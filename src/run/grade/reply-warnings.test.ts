import { expect, test } from 'vitest';
import type { Test } from '../../base/model/test.ts';
import { doubtDuration } from './duration-doubt.ts';
import { memoryWarning } from './memory-warning.ts';
import type { SentStep } from '../attempt/step-record.ts';

const at = { file: 'a.yaml', line: 1, column: 1 };
const ONE = { id: 't', steps: [{ assertions: [] }], assertions: [], tags: [], place: at } as unknown as Test;

/** A grader by which assertions of the step or of the test, in this order, look at the part or not. */
const reading = (...answers: readonly boolean[]) => {
  const left = [...answers];
  return { readsPart: () => left.shift() ?? false };
};

const sent = (durationMs: number) => ({ durationMs, startMs: 0 }) as SentStep;
const model = (start_ms: number, duration_ms: number) =>
  ({ kind: 'model', name: 'm', start_ms, duration_ms }) as const;

test.each([
  [undefined, 9000, false],
  [100, 9000, true],
  [949, 1000, false],
  [899, 1000, true],
  [900, 1000, false],
  [0, 50, false],
  [0, 51, true],
])('a function reports %d ms and was measured with %d ms: doubted %s', (reported, measured, isDoubted) => {
  const reply = { output: '', duration_ms: reported };
  const doubt = doubtDuration(reply, sent(measured), { isFunction: true });
  expect(doubt?.about).toBe(isDoubted ? 'duration' : undefined);
  if (isDoubted) expect(doubt?.message).toMatch(new RegExp(`${reported} ms.* ${measured} ms`));
  // The start of a program and the network are not the agent's time.
  expect(doubtDuration(reply, sent(measured), {})).toBeUndefined();
});

test('no agent took less time than its model calls, which may overlap', () => {
  const timeline = [model(0, 300), model(100, 100), model(200, 300), model(900, 200)];
  const doubt = (duration_ms: number) => doubtDuration({ output: '', duration_ms, timeline }, sent(2000), {});
  expect(doubt(630)).toBeUndefined();
  expect(doubt(629)?.message).toContain('its observed model calls took 700 ms');
  const replayed = { ...sent(2000), startMs: undefined };
  expect(doubtDuration({ output: '', duration_ms: 1 }, replayed, { isFunction: true })).toBeUndefined();
});

test('missing memory matters only if there was some before or an assertion reads it', () => {
  const doubt = (before: object, after: object | undefined, isRead: boolean) =>
    memoryWarning(ONE, { before: before as never, after: after as never }, reading(isRead))?.code;
  expect(doubt({ a: 1 }, undefined, false)).toBe('no_memory');
  expect(doubt({}, undefined, true)).toBe('no_memory');
  expect(doubt({}, undefined, false)).toBeUndefined();
  expect(doubt({ a: 1 }, {}, true)).toBeUndefined();
});
